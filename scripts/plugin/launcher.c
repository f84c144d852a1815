/*
 * Starts the bundled Node with the bundled C library, so that nothing of the machine is needed: not even a shell. Linked statically.
 * Files are found beside this program. `execve` keeps the process id that Grafana watches.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static char folder[PATH_MAX];

static const char *beside(char *buffer, const char *name) {
  snprintf(buffer, 2 * PATH_MAX, "%s/%s", folder, name);
  return buffer;
}

int main(void) {
  static char loader[2 * PATH_MAX], libraries[2 * PATH_MAX], node[2 * PATH_MAX], script[2 * PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
  if (length <= 0) {
    fputs("[ERROR] /proc is not mounted: the plugin cannot find its files.\n", stderr);
    return 1;
  }
  folder[length] = '\0';
  *strrchr(folder, '/') = '\0';
  char *const arguments[] = {
    (char *)beside(loader, "rt/ld.so"),
    "--library-path",
    (char *)beside(libraries, "rt"),
    (char *)beside(node, "rt/node"),
    "--max-old-space-size=96",
    "--max-semi-space-size=4",
    "--no-allocation-site-pretenuring",
    (char *)beside(script, "backend.cjs"),
    NULL,
  };
  execve(loader, arguments, environ);
  perror("[ERROR] The bundled runtime does not start");
  return 1;
}
