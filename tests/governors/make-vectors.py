#!/usr/bin/env python3
# make-vectors.py GOVERNOR SEED MACHINES STEPS > FILE
# Random machines and idle periods through the independent reference models of
# $REIDLE_SHARED/reference/shim/models.py; what they choose is written down for tests/tools/vectors.c.
# Lines: "m HZ N  L R POLLING ..." a machine; "s NOW LIMIT SLEEP DELTA STOPPED IOWAIT DISABLED  STATE STOP"
# a selection and its answer; "o ENTERED RESIDENCY POLL_LIMIT TICK NOW  PENDING" an outcome.
import os, random, sys

sys.path.insert(0, os.path.join(os.environ["REIDLE_SHARED"], "reference", "shim"))
import models as M

MODELS = {
    "menu@5.10.223": (M.Menu, "5.10"), "menu@6.1.176": (M.Menu, "6.1"),
    "menu@6.12.117": (M.Menu, "6.12"), "menu@7.2.13": (M.Menu, "7.3"),
    "teo@5.10.223": (M.TeoA, "5.10"), "teo@6.1.176": (M.TeoB, "6.1"),
    "teo@6.12.117": (M.TeoB, "6.12"), "teo@7.2.13": (M.TeoN, "7.3"),
    "ladder@6.12": (M.Ladder, ""), "haltpoll@6.1": (M.Halt, "6.1"), "haltpoll@6.12": (M.Halt, "7.3"),
}
LIMITS = [0, 1000, 5000, 7000, 8000, 20000, 50000, 200000, 10**6, 2 * 10**12]


class Inputs:
    lat, stopped, iow, sl, dt, now = 2 * 10**12, False, 0, 0, 0, 10**9


def table(rng):
    states, lat, res, poll = [], 0, 0, rng.random() < .6
    for i in range(rng.randint(2, 8)):
        if i == 0 and poll:
            states.append((0, 0, 1))
            continue
        lat += rng.choice([0, 1, 1000, 2000, 5000, 40000, 133000, 500000])
        res = max(res, lat) + rng.choice([0, 0, 1000, 3000, 12000, 100000, 600000, 5 * 10**6])
        states.append((lat, res, 0))
    return states


def sleep(rng, negative, now):
    t = M.TICK
    return rng.choice([rng.randint(negative, 20000), rng.randint(0, 10**6), rng.randint(0, t),
                       rng.randint(t, 10**8), rng.randint(10**8, 10**12), M.KM - now])


def length(rng, style):
    if rng.random() < .2:
        style = "mix"
    return {"short": rng.randint(0, 30000), "mix": int(10**rng.uniform(2, 9)),
            "long": rng.randint(10**5, 10**8)}[style]


def step(rng, m, e, style, negative):
    if rng.random() < .01:
        i = rng.randrange(len(m.st))
        (m.dis.add if rng.random() < .5 else m.dis.discard)(i)
    if rng.random() < .03:
        e.lat = rng.choice(LIMITS)
    e.stopped, e.iow = rng.random() < .3, rng.choice([0, 0, 0, 1, 2])
    e.sl = sleep(rng, negative, e.now)
    e.dt = min(e.sl, rng.randint(negative // 2, M.TICK))
    state, stop = m.select(e)
    print("s", e.now, e.lat, e.sl, e.dt, int(e.stopped), e.iow, sum(1 << i for i in m.dis), state, int(stop))
    x = rng.random()
    entered = -1 if x < .05 else rng.randrange(len(m.st)) if x < .1 else state
    res, poll = length(rng, style), rng.random() < .4
    e.now += res + rng.randint(100, 5000)
    e.tick = e.tick or rng.random() < .3
    pending = m.outcome(entered, res, poll, e.tick, *([] if isinstance(m, M.Menu) else [e.now]))
    print("o", entered, res, int(poll), int(e.tick), e.now, int(bool(pending)))
    e.tick = bool(pending)


def main():
    name, seed, machines, steps = sys.argv[1], *map(int, sys.argv[2:5])
    cls, gen = MODELS[name]
    negative = 0 if "5.10" in name else -5000
    print("g", name)
    for k in range(machines):
        rng = random.Random(seed * 1000003 + k)
        M.HZ = rng.choice([100, 250, 300, 1000])
        M.TICK = (10**9 + M.HZ // 2) // M.HZ
        M.SAFE = 2 * M.TICK
        m, e, style = cls(table(rng), gen), Inputs(), rng.choice(["short", "mix", "long"])
        e.tick = False
        print("m", M.HZ, len(m.st), *(x for s in m.st for x in s))
        for _ in range(steps):
            step(rng, m, e, style, negative)


main()
