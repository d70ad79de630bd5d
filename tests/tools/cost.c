// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cost [-n ROUNDS] COMMAND [ARG...]: run a command with its output thrown away; prints the smallest CPU time
 * (user + system, seconds) of the rounds and the largest peak memory (KB). Exit status of the command.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec * 1e-6;
}

static void run(char **argv)
{
	int null = open("/dev/null", O_WRONLY);

	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	execvp(argv[0], argv);
	_exit(127);
}

int main(int argc, char **argv)
{
	int rounds = 1, status = 0;
	double best = 1e9;
	long peak = 0;

	if (argc > 3 && !strcmp(argv[1], "-n")) {
		rounds = atoi(argv[2]);
		argv += 2;
	}
	if (argc < 2)
		return 2;
	for (int i = 0; i < rounds && !status; i++) {
		struct rusage usage;
		pid_t pid = fork();
		double took;

		if (!pid)
			run(argv + 1);
		if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
			return 1;
		took = seconds(&usage.ru_utime) + seconds(&usage.ru_stime);
		best = took < best ? took : best;
		peak = usage.ru_maxrss > peak ? usage.ru_maxrss : peak;
	}
	printf("%.4f %ld\n", best, peak);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
