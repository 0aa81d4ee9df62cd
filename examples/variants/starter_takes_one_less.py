"""Orma: whoever starts is dealt one token less, so that starting is worth less."""


@rule
def deal(s, seats, first, options, streams):
    """Shuffle and start."""
    starter = randint(streams, seats)
    if first >= 0:
        starter = first
    s.spare = options[0]
    n = 0
    for colour in range(1, COLOURS):
        for _ in range(EACH):
            s.stack[n] = colour
            n += 1
    if s.spare == MIXED:
        for _ in range(EACH - 1 - seats):
            s.stack[n] = BLACK
            n += 1
    for seat in range(seats):
        s.hand[seat, BLACK] = 1
        for _ in range(DEALT[seats] - (1 if seat == starter else 0)):
            i = randint(streams[2 + seat :], n)
            n -= 1
            s.hand[seat, s.stack[i]] += 1
            s.stack[i] = s.stack[n]
    if s.spare != MIXED:
        for _ in range(s.spare):
            s.stack[n] = BLACK
            n += 1
    shuffle(streams[1:], s.stack[:n])
    for i in range(n, TOKENS):
        s.stack[i] = 0
    s.stack_left = n
    start(s, seats, starter)
