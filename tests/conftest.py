"""What holds for all tests."""

import signal

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # started in the background of a shell: processes of ours inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)
