"""What Numba's runtime gives compiled code, written for wasm32: memory for the arrays and lists that a call makes.

Sizes are 64 bits wide, since the code was lowered on such a machine; addresses are 32. Whatever a call makes is gone at
its end, so the heap is a stack: a block that is freed gives its room back once everything above it is freed, too. A
block begins with 16 bytes: the address of the block below it, and whether it is freed. The caller of the module gets
room that stays from `reserve`, between calls.
"""

RESERVE, HEAP = "reserve", "heap"
"""The export that gives room, and the variable for the linker to set: where the heap begins."""

IR = """
@heap = global i32 2147483647
@last = internal global i32 0

declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare void @llvm.trap()

define internal i32 @take(i64 %size) {
  %huge = icmp ugt i64 %size, 1073741824
  br i1 %huge, label %fail, label %fits
fits:
  %below = load i32, ptr @last
  %block = load i32, ptr @heap
  %at = add i32 %block, 16
  %bytes = trunc i64 %size to i32
  %loose = add i32 %at, %bytes
  %more = add i32 %loose, 15
  %end = and i32 %more, -16
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %have = shl i32 %pages, 16
  %short = icmp ugt i32 %end, %have
  br i1 %short, label %grow, label %done
grow:
  %lack = sub i32 %end, %have
  %rounded = add i32 %lack, 65535
  %new = lshr i32 %rounded, 16
  %got = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %new)
  %full = icmp eq i32 %got, -1
  br i1 %full, label %fail, label %done
fail:
  call void @llvm.trap()
  unreachable
done:
  %first = inttoptr i32 %block to ptr
  store i32 %below, ptr %first
  %second = getelementptr i8, ptr %first, i32 4
  store i32 0, ptr %second
  store i32 %block, ptr @last
  store i32 %end, ptr @heap
  ret i32 %at
}

define internal void @drop(i32 %at) {
  %freed = sub i32 %at, 12
  %mark = inttoptr i32 %freed to ptr
  store i32 1, ptr %mark
  br label %next
next:
  %top = load i32, ptr @last
  %none = icmp eq i32 %top, 0
  br i1 %none, label %done, label %look
look:
  %block = inttoptr i32 %top to ptr
  %flag = getelementptr i8, ptr %block, i32 4
  %gone = load i32, ptr %flag
  %used = icmp eq i32 %gone, 0
  br i1 %used, label %done, label %pop
pop:
  store i32 %top, ptr @heap
  %below = load i32, ptr %block
  store i32 %below, ptr @last
  br label %next
done:
  ret void
}

define i32 @reserve(i32 %size) {
  %wide = zext i32 %size to i64
  %at = call i32 @take(i64 %wide)
  store i32 0, ptr @last
  ret i32 %at
}

define ptr @NRT_Allocate(i64 %size) {
  %at = call i32 @take(i64 %size)
  %p = inttoptr i32 %at to ptr
  ret ptr %p
}

define void @NRT_Free(ptr %p) {
  %at = ptrtoint ptr %p to i32
  call void @drop(i32 %at)
  ret void
}

%MemInfo = type { i64, ptr, ptr, ptr, i64 }

define internal ptr @describe(i32 %at, ptr %dtor, ptr %data, i64 %size) {
  %mi = inttoptr i32 %at to ptr
  store i64 1, ptr %mi
  %1 = getelementptr %MemInfo, ptr %mi, i32 0, i32 1
  store ptr %dtor, ptr %1
  %2 = getelementptr %MemInfo, ptr %mi, i32 0, i32 2
  store ptr null, ptr %2
  %3 = getelementptr %MemInfo, ptr %mi, i32 0, i32 3
  store ptr %data, ptr %3
  %4 = getelementptr %MemInfo, ptr %mi, i32 0, i32 4
  store i64 %size, ptr %4
  ret ptr %mi
}

define noalias ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %whole = add i64 %size, 32
  %at = call i32 @take(i64 %whole)
  %begin = add i32 %at, 32
  %data = inttoptr i32 %begin to ptr
  %mi = call ptr @describe(i32 %at, ptr null, ptr %data, i64 %size)
  ret ptr %mi
}

define ptr @NRT_MemInfo_new_varsize_dtor(i64 %size, ptr %dtor) {
  %at = call i32 @take(i64 32)
  %begin = call i32 @take(i64 %size)
  %data = inttoptr i32 %begin to ptr
  %mi = call ptr @describe(i32 %at, ptr %dtor, ptr %data, i64 %size)
  ret ptr %mi
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define ptr @NRT_MemInfo_varsize_realloc(ptr %mi, i64 %size) {
  %datas = getelementptr %MemInfo, ptr %mi, i32 0, i32 3
  %old = load ptr, ptr %datas
  %sizes = getelementptr %MemInfo, ptr %mi, i32 0, i32 4
  %had = load i64, ptr %sizes
  %at = call i32 @take(i64 %size)
  %new = inttoptr i32 %at to ptr
  %shrinks = icmp ult i64 %size, %had
  %kept = select i1 %shrinks, i64 %size, i64 %had
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %old, i64 %kept, i1 false)
  %before = ptrtoint ptr %old to i32
  call void @drop(i32 %before)
  store ptr %new, ptr %datas
  store i64 %size, ptr %sizes
  ret ptr %new
}

define void @NRT_MemInfo_call_dtor(ptr %mi) {
  %at = ptrtoint ptr %mi to i32
  %dtors = getelementptr %MemInfo, ptr %mi, i32 0, i32 1
  %dtor = load ptr, ptr %dtors
  %datas = getelementptr %MemInfo, ptr %mi, i32 0, i32 3
  %data = load ptr, ptr %datas
  %plain = icmp eq ptr %dtor, null
  br i1 %plain, label %apart, label %call
call:
  call void %dtor(ptr %data)
  br label %apart
apart:
  %begin = ptrtoint ptr %data to i32
  %inside = add i32 %at, 32
  %together = icmp eq i32 %begin, %inside
  br i1 %together, label %done, label %free
free:
  call void @drop(i32 %begin)
  br label %done
done:
  call void @drop(i32 %at)
  ret void
}

; Whether an array can have another shape without a copy: here, if its items lie one after the other.
define i32 @numba_attempt_nocopy_reshape(
    i64 %axes, ptr %dims, ptr %strides, i64 %newaxes, ptr %newdims, ptr %newstrides, i64 %item, i32 %order) {
  br label %old
old:
  %i = phi i64 [ %axes, %0 ], [ %axis, %contiguous ]
  %step = phi i64 [ %item, %0 ], [ %longer, %contiguous ]
  %seen = icmp eq i64 %i, 0
  br i1 %seen, label %new, label %check
check:
  %axis = sub i64 %i, 1
  %wherelength = getelementptr i64, ptr %dims, i64 %axis
  %length = load i64, ptr %wherelength
  %wherestride = getelementptr i64, ptr %strides, i64 %axis
  %stride = load i64, ptr %wherestride
  %single = icmp eq i64 %length, 1
  %next = icmp eq i64 %stride, %step
  %fine = or i1 %single, %next
  br i1 %fine, label %contiguous, label %no
contiguous:
  %longer = mul i64 %step, %length
  br label %old
new:
  %j = phi i64 [ %newaxes, %old ], [ %newaxis, %write ]
  %room = phi i64 [ %item, %old ], [ %larger, %write ]
  %all = icmp eq i64 %j, 0
  br i1 %all, label %compare, label %write
write:
  %newaxis = sub i64 %j, 1
  %wherenew = getelementptr i64, ptr %newstrides, i64 %newaxis
  store i64 %room, ptr %wherenew
  %wherenewlength = getelementptr i64, ptr %newdims, i64 %newaxis
  %newlength = load i64, ptr %wherenewlength
  %larger = mul i64 %room, %newlength
  br label %new
compare:
  %same = icmp eq i64 %room, %step
  %yes = zext i1 %same to i32
  ret i32 %yes
no:
  ret i32 0
}
"""
