// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/facts.h"

#include <math.h>
#include <string.h>

/* counts and sums are exact whatever their size; only shares and quantiles can be weak */
static struct measured exact(bool known, int64_t v)
{
	return (struct measured){.known = known, .i = v, .n = UINT64_MAX};
}

static struct measured share(bool known, double part, double whole, uint64_t n)
{
	return (struct measured){.known = known && whole > 0, .real = true, .d = part / whole, .n = n};
}

static struct measured quantile(bool known, int64_t v, uint64_t n)
{
	return (struct measured){.known = known && n > 0, .i = v, .n = n};
}

static struct measured get_usage(const struct fact *f)
{
	return exact(true, (int64_t)f->sum.usage);
}

static struct measured get_time(const struct fact *f)
{
	return exact(true, f->sum.time_ns);
}

static struct measured get_time_share(const struct fact *f)
{
	return share(true, (double)f->sum.time_ns, (double)f->span_ns, UINT64_MAX);
}

static struct measured get_idle_share(const struct fact *f)
{
	return share(true, (double)f->sum.time_ns, (double)f->idle_ns, UINT64_MAX);
}

static struct measured get_usage_share(const struct fact *f)
{
	return share(true, (double)f->sum.usage, (double)f->idles, UINT64_MAX);
}

static struct measured get_rate(const struct fact *f)
{
	return share(f->span_ns > 0, (double)f->sum.usage * 1e9, (double)f->span_ns, UINT64_MAX);
}

static struct measured get_above(const struct fact *f)
{
	return exact(f->verdicts, (int64_t)f->sum.above);
}

static struct measured get_above_share(const struct fact *f)
{
	return share(f->verdicts, (double)f->sum.above, (double)f->sum.usage, f->sum.usage);
}

static struct measured get_below(const struct fact *f)
{
	return exact(f->verdicts, (int64_t)f->sum.below);
}

static struct measured get_below_share(const struct fact *f)
{
	return share(f->verdicts, (double)f->sum.below, (double)f->sum.usage, f->sum.usage);
}

static struct measured get_miss(const struct fact *f)
{
	return exact(f->verdicts, (int64_t)(f->sum.above + f->sum.below));
}

static struct measured get_miss_share(const struct fact *f)
{
	return share(f->verdicts, (double)(f->sum.above + f->sum.below), (double)f->sum.usage,
		f->sum.usage);
}

static struct measured get_above_recorded(const struct fact *f)
{
	return exact(f->misses, (int64_t)f->sum.above_recorded);
}

static struct measured get_below_recorded(const struct fact *f)
{
	return exact(f->misses, (int64_t)f->sum.below_recorded);
}

static struct measured get_mean(const struct fact *f)
{
	return quantile(true, f->sum.mean_ns, f->sum.usage);
}

static struct measured get_p50(const struct fact *f)
{
	return quantile(f->lengths, f->sum.p50_ns, f->sum.usage);
}

static struct measured get_p99(const struct fact *f)
{
	return quantile(f->lengths, f->sum.p99_ns, f->sum.usage);
}

static struct measured get_wake_mean(const struct fact *f)
{
	return quantile(f->wake_mean_ns >= 0, f->wake_mean_ns, f->wakes);
}

static struct measured get_wake_p99(const struct fact *f)
{
	return quantile(f->wake_p99_ns >= 0, f->wake_p99_ns, f->wakes);
}

const struct measure measure_list[] = {
	{"usage", "usage", "", "usage", 1, 0, NULL, get_usage, "Usage"},
	{"time", "time", "ms", "time_ns", 1e6, -1, NULL, get_time, "Time spent (ms)"},
	{"time%", "time%", "", "time_share", 0.01, 2, "time% = time / (watched time x CPUs)",
		get_time_share, "Time %"},
	{"idle%", "idle%", "", "idle_share", 0.01, 2, "idle% = time / idle time in all states",
		get_idle_share, "Share of idle time %"},
	{"usage%", "use%", "", "usage_share", 0.01, 2, "use% = usage / usage of all states",
		get_usage_share, "Share of idle periods %"},
	{"rate", "rate", "1/s", "usage_per_second", 1, -1, "rate: idle periods per second and CPU",
		get_rate, "Idle periods per second and CPU"},
	{"above", "above", "", "above", 1, 0, NULL, get_above, "Above"},
	{"above%", "abv%", "", "above_share", 0.01, 2, "abv% = above / usage", get_above_share,
		"% above w.r.t. usage"},
	{"below", "below", "", "below", 1, 0, NULL, get_below, "Below"},
	{"below%", "blw%", "", "below_share", 0.01, 2, "blw% = below / usage", get_below_share,
		"% below w.r.t. usage"},
	{"miss", "miss", "", "miss", 1, 0, "miss = above + below", get_miss, "Misses"},
	{"miss%", "miss%", "", "miss_share", 0.01, 2, "miss% = (above + below) / usage",
		get_miss_share, "Total miss %"},
	{"above_recorded", "above", "recorded", "above_recorded", 1, 0, NULL, get_above_recorded,
		"Above (cpu_idle_miss)"},
	{"below_recorded", "below", "recorded", "below_recorded", 1, 0, NULL, get_below_recorded,
		"Below (cpu_idle_miss)"},
	{"avg", "avg", "us", "mean_ns", 1e3, -1, NULL, get_mean, "Average sleep duration (us)"},
	{"p50", "p50", "us", "p50_ns", 1e3, -1, NULL, get_p50, "Median sleep duration (us)"},
	{"p99", "p99", "us", "p99_ns", 1e3, -1, NULL, get_p99, "p99 sleep duration (us)"},
	{"wavg", "wake", "avg us", "wake_mean_ns", 1e3, -1, "wake: arrival of the wake-up to the end of "
		"the idle period", get_wake_mean, "Average wakeup latency (us)"},
	{"wp99", "wake", "p99 us", "wake_p99_ns", 1e3, -1, NULL, get_wake_p99,
		"p99 wakeup latency (us)"},
	{NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL},
};

const struct measure *measure_find(const char *name, size_t n)
{
	for (const struct measure *m = measure_list; m->name; m++)
		if (strlen(m->name) == n && !memcmp(m->name, name, n))
			return m;
	return NULL;
}

double measure_value(const struct measure *m, const struct fact *f)
{
	struct measured v = m->get(f);

	if (!v.known)
		return NAN;
	return v.real ? v.d : (double)v.i;
}
