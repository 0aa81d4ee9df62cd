"""The compiled rules, as WebAssembly: each call goes to the page's worker, which has the module of the game."""

import json

import host

MAX_SEATS, MAX_STREAMS = 5, 16


def _call(name, states, *args):
    """Call a kernel on a state, which it may change; return what it returns."""
    said = host.kernel(states.dtype.key, name, states.hex(), json.dumps(args))
    state, _, result = said.partition(" ")
    states.take(state)
    return json.loads(result)


def _words(streams):
    """Return random streams as text: JSON's numbers are too short for them."""
    return ["{:x}".format(one) for one in streams]


def deal_one(states, seats, first, options, streams):
    """Deal and start."""
    _call("deal", states, seats, first, list(options), _words(streams))


def start_one(states, seats, first):
    """Start with the deal that is there."""
    _call("start", states, seats, first)


def apply_one(states, action):
    """Play an action."""
    _call("apply", states, action)


def chance_one(states, streams):
    """Return an outcome of chance."""
    return _call("chance", states, _words(streams))


def scores_one(states, out):
    """Write the score of each seat."""
    found = _call("scores", states, len(out))
    for seat in range(len(out)):
        out[seat] = found[seat]


def redeal_one(states, viewer, rng):
    """Deal anew what a seat cannot know."""
    _call("redeal", states, viewer, _words(rng))


def play_all(states, actions, rolled, movers):
    """Play actions in order; return how many were legal."""
    found = _call("play_all", states, list(actions), rolled)
    for i in range(len(found)):
        movers[i] = found[i]
    return len(found)
