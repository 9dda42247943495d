/* deskbell-mcp: what AI applications start, in a bundle for Linux.
 *
 * The usual way of bridge/shim, in a process that starts in a millisecond: connect to the Deskbell that runs,
 * pass it stdin and stdout (SCM_RIGHTS), wait. It never parses a message. For everything else (help, mistakes,
 * a Deskbell that does not run yet, a terminal) it becomes the bundle's program, which runs bridge/shim itself;
 * tests/packaging/test_launcher.py holds the two against each other.
 *
 * Beside `deskbell` it belongs to that one. Alone, in the folder `bin` of Deskbell's home, it belongs to the
 * AppImage that the file `appimage` names (bridge/system/appimage.py); if that one was renamed, it looks for it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { CHUNK = 65536, FAREWELL_MS = 1000, LONGEST_PATH = 100, OTHER_FAILURE = 5 };

extern char **environ;
static const char PROOF[] = "DESKBELL_HOST_TOKEN";
static char **arguments; /* of main */

/* ---- a text that grows --------------------------------------------------------------------------------- */

static char *text;
static size_t used, room;

static void add_bytes(const char *bytes, size_t count) {
    if (used + count + 1 > room) {
        room = (used + count + 1) * 2;
        text = realloc(text, room);
        if (!text) _exit(OTHER_FAILURE);
    }
    memcpy(text + used, bytes, count);
    used += count;
    text[used] = 0;
}

static void add(const char *words) { add_bytes(words, strlen(words)); }

/* Length of the UTF-8 character at `s`, and its code point; 0 for a byte that is none (RFC 3629). */
static int decode(const unsigned char *s, uint32_t *point) {
    if (s[0] < 0x80) return *point = s[0], 1;
    int length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    *point = s[0] & (0xff >> (length + 1));
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        *point = *point << 6 | (s[i] & 0x3f);
    }
    int is_short = (length == 3 && *point < 0x800) || (length == 4 && *point < 0x10000);
    return is_short || *point > 0x10ffff || (*point >= 0xd800 && *point < 0xe000) ? 0 : length;
}

/* Add a JSON string in ASCII; bytes that are no UTF-8 become lone surrogates, as Python's surrogateescape. */
static void add_quoted(const char *words, size_t count) {
    const unsigned char *s = (const unsigned char *)words, *end = s + count;
    char unit[16];
    add("\"");
    while (s < end) {
        uint32_t point = 0;
        int length = decode(s, &point);
        if (!length) point = 0xdc00u + *s, length = 1;
        s += length;
        if (point == '"' || point == '\\') {
            unit[0] = '\\', unit[1] = (char)point;
            add_bytes(unit, 2);
        } else if (point >= ' ' && point <= '~') {
            unit[0] = (char)point;
            add_bytes(unit, 1);
        } else if (point > 0xffff) {
            point -= 0x10000;
            snprintf(unit, sizeof unit, "\\u%04x\\u%04x", 0xd800u + (point >> 10), 0xdc00u + (point & 0x3ff));
            add(unit);
        } else {
            snprintf(unit, sizeof unit, "\\u%04x", point);
            add(unit);
        }
    }
    add("\"");
}

static void add_field(const char *name, const char *value) {
    add(",\"");
    add(name);
    add("\":");
    add_quoted(value, strlen(value));
}

/* ---- the bundle's program ------------------------------------------------------------------------------- */

static int is_appimage(const char *path, dev_t device, ino_t inode) {
    struct stat info;
    return !stat(path, &info) && S_ISREG(info.st_mode) && info.st_ino == inode && info.st_dev == device &&
           !access(path, X_OK);
}

/* Find the file by its inode: a renamed or moved AppImage keeps it. */
static int find_in(const char *folder, dev_t device, ino_t inode, char *found) {
    DIR *listing = opendir(folder);
    struct dirent *entry;
    int done = 0;
    while (listing && !done && (entry = readdir(listing)))
        if (entry->d_ino == inode) {
            snprintf(found, PATH_MAX, "%s/%s", folder, entry->d_name);
            done = is_appimage(found, device, inode);
        }
    if (listing) closedir(listing);
    return done;
}

/* Read the record `appimage`: path, device, inode. Leaves the AppImage's path of today in `found`. */
static int find_appimage(const char *own_folder, char *found) {
    char record[PATH_MAX + 16], folder[PATH_MAX];
    unsigned long long device = 0, inode = 0;
    snprintf(record, sizeof record, "%s/appimage", own_folder);
    FILE *file = fopen(record, "re");
    if (!file) return 0;
    int complete = fgets(found, PATH_MAX, file) && fscanf(file, "%llu %llu", &device, &inode) == 2;
    fclose(file);
    if (!complete) return 0;
    found[strcspn(found, "\n")] = 0;
    if (!access(found, X_OK)) return 1; /* where it was, perhaps a newer one */
    snprintf(folder, sizeof folder, "%s", found);
    char *slash = strrchr(folder, '/');
    if (!slash) return 0;
    *slash = 0;
    if (find_in(folder, device, inode, found)) return 1;
    const char *home = getenv("HOME");
    static const char *const places[] = {"", "/Applications", "/.local/bin", "/bin", "/Downloads", "/Desktop", "/AppImages"};
    for (size_t i = 0; home && i < sizeof places / sizeof *places; i++) {
        snprintf(folder, sizeof folder, "%s%s", home, places[i]);
        if (find_in(folder, device, inode, found)) return 1;
    }
    return 0;
}

/* Become the bundle's program, with the same arguments. */
static void become_program(void) {
    static char folder[PATH_MAX], program[PATH_MAX + 16];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (length > 0) {
        folder[length] = 0;
        *strrchr(folder, '/') = 0;
        snprintf(program, sizeof program, "%s/deskbell", folder);
        if (!access(program, X_OK) || find_appimage(folder, program)) {
            arguments[0] = program;
            execv(program, arguments);
        }
    }
    fprintf(stderr, "deskbell: the program was moved or deleted. Start Deskbell once where it is now, or connect "
                    "this AI application again.\n");
    exit(OTHER_FAILURE);
}

/* ---- the hello line (bridge/shim hello) ------------------------------------------------------------------ */

/* Take the value of `--name VALUE` or `--name=VALUE` from *words. */
static const char *option(char ***words, const char *name) {
    size_t length = strlen(name);
    char *word = **words;
    if (strncmp(word, name, length)) return NULL;
    if (word[length] == '=') return (*words)++, word + length + 1;
    if (word[length] || !(*words)[1]) return NULL;
    *words += 2;
    return (*words)[-1];
}

static void add_environment(void) {
    int first = 1;
    add(",\"env\":{");
    for (char **variable = environ; *variable; variable++) {
        char *equals = strchr(*variable, '=');
        size_t length = equals ? (size_t)(equals - *variable) : 0;
        if (!equals || (length == sizeof PROOF - 1 && !strncmp(*variable, PROOF, length))) continue;
        if (!first) add(",");
        first = 0;
        add_quoted(*variable, length);
        add(":");
        add_quoted(equals + 1, strlen(equals + 1));
    }
    add("}");
}

static void add_hello(char **words, const char *token) {
    const char *server = "", *host_name = "", *name = "", *era = "", *value;
    int wrap = !strcmp(*words++, "wrap");
    while (*words && **words == '-') {
        if (!strcmp(*words, "--")) {
            words++;
            break;
        }
        if ((value = option(&words, "--host-name"))) host_name = value;
        else if (!wrap && (value = option(&words, "--server"))) server = value;
        else if (wrap && (value = option(&words, "--name"))) name = value;
        else if (wrap && (value = option(&words, "--era"))) era = value;
        else become_program(); /* which explains */
    }
    if (!wrap == !!*words) become_program();
    if (*era && strcmp(era, "legacy") && strcmp(era, "modern")) become_program();
    add("{\"deskbell\":2,\"verb\":");
    add(wrap ? "\"wrap\"" : "\"stdio\"");
    if (wrap) {
        char folder[PATH_MAX];
        add_field("name", name);
        add_field("era", era);
        add_field("command", *words);
        add(",\"args\":[");
        for (char **word = words + 1; *word; word++) {
            if (word > words + 1) add(",");
            add_quoted(*word, strlen(*word));
        }
        add("]");
        add_field("cwd", getcwd(folder, sizeof folder) ? folder : "");
        add_environment();
    } else {
        add_field("server", server);
    }
    add_field("host_name", host_name);
    add_field("token", token);
    add("}\n");
}

/* ---- the way to the socket (bridge/shim home, socket_path) ------------------------------------------------ */

static void join(char *path, const char *format, ...) {
    va_list parts;
    va_start(parts, format);
    if (vsnprintf(path, PATH_MAX, format, parts) >= PATH_MAX) become_program();
    va_end(parts);
}

static const char *own_folder(void) {
    const char *home = getenv("HOME");
    if (home && *home) return home;
    struct passwd *person = getpwuid(getuid());
    if (!person) become_program();
    return person->pw_dir;
}

static void find_home(char *home) {
    char folder[PATH_MAX], here[PATH_MAX];
    const char *given = getenv("DESKBELL_HOME"), *data = getenv("XDG_DATA_HOME");
    if (given && *given) join(folder, "%s", given);
    else if (data && *data == '/') join(folder, "%s/deskbell", data);
    else join(folder, "%s/.local/share/deskbell", own_folder());
    if (!strncmp(folder, "~/", 2)) join(home, "%s%s", own_folder(), folder + 1);
    else join(home, "%s", folder);
    if (*home != '/') {
        if (!getcwd(here, sizeof here)) become_program();
        join(folder, "%s", home);
        join(home, "%s/%s", here, folder);
    }
    for (size_t length = strlen(home); length && home[length - 1] == '/';) home[--length] = 0;
}

static uint32_t crc32(const char *bytes) {
    uint32_t sum = ~0u;
    for (; *bytes; bytes++) {
        sum ^= (unsigned char)*bytes;
        for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return ~sum;
}

/* Connect to the Deskbell that runs; without one, become the program that starts it. */
static int connect_app(void) {
    char home[PATH_MAX], path[PATH_MAX];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct ucred peer;
    socklen_t size = sizeof peer;
    find_home(home);
    join(path, "%s/deskbell.sock", home);
    if (strlen(path) > LONGEST_PATH) join(path, "/tmp/deskbell-%u/%08x.sock", getuid(), crc32(home));
    strcpy(address.sun_path, path);
    int sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (sock < 0 || connect(sock, (struct sockaddr *)&address, sizeof address)) become_program();
    /* it is about to receive our environment */
    if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.uid != getuid()) {
        fprintf(stderr, "deskbell: %s belongs to another user; remove it and try again\n", path);
        exit(OTHER_FAILURE);
    }
    return sock;
}

/* ---- the host's pipes (bridge/shim/unix.py) ---------------------------------------------------------------- */

static int is_local(int fd, const struct stat *info) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    return S_ISFIFO(info->st_mode) || (S_ISSOCK(info->st_mode) &&
                                       !getsockname(fd, (struct sockaddr *)&address, &size) &&
                                       address.ss_family == AF_UNIX);
}

static int can_pass_pipes(void) {
    struct stat in, out;
    return !fstat(0, &in) && !fstat(1, &out) && (in.st_dev != out.st_dev || in.st_ino != out.st_ino) &&
           is_local(0, &in) && is_local(1, &out);
}

/* Write all of it, to a socket or a pipe that may be non-blocking; 0 if the other side is gone. */
static int write_all(int fd, const char *bytes, size_t count) {
    while (count) {
        ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno == EAGAIN) poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        else if (written < 0 && errno != EINTR) return 0;
        if (written > 0) bytes += written, count -= (size_t)written;
    }
    return 1;
}

/* Wait for data from the app; 0 if the host is gone. After the host closed only our stdin, the app has
 * FAREWELL_MS to reply. */
static int wait_for_app(int sock) {
    struct pollfd ends[] = {{sock, POLLIN, 0}, {1, 0, 0}, {0, POLLRDHUP, 0}};
    nfds_t watched = 3;
    for (;;) {
        int ready = poll(ends, watched, watched == 3 ? -1 : FAREWELL_MS);
        if (ready < 0 && errno == EINTR) continue;
        if (ends[0].revents) return 1;
        if (ready <= 0 || ends[1].revents) return 0;
        watched = 2;
    }
}

static void *copy_from_host(void *socket_fd) {
    static char bytes[CHUNK];
    int sock = *(int *)socket_fd;
    for (;;) {
        ssize_t count = read(0, bytes, sizeof bytes);
        if (count < 0 && errno == EAGAIN) poll(&(struct pollfd){.fd = 0, .events = POLLIN}, 1, -1);
        else if (count < 0 && errno == EINTR) continue;
        else if (count <= 0 || !write_all(sock, bytes, (size_t)count)) break;
    }
    shutdown(sock, SHUT_WR);
    return NULL;
}

/* Copy both ways: the app wants no pipes, or did not get them. `bytes` came from it already. */
static void copy(int sock, const char *bytes, size_t count) {
    static char chunk[CHUNK];
    pthread_t thread;
    ssize_t received;
    if (pthread_create(&thread, NULL, copy_from_host, &sock) || !write_all(1, bytes, count)) return;
    while (wait_for_app(sock) && (received = recv(sock, chunk, sizeof chunk, 0)) > 0)
        if (!write_all(1, chunk, (size_t)received)) return;
}

static int pass_pipes(int sock) {
    int pipes[2] = {0, 1};
    union {
        char room[CMSG_SPACE(sizeof pipes)];
        struct cmsghdr aligned;
    } control = {{0}};
    struct iovec line = {"\n", 1};
    struct msghdr message = {.msg_iov = &line, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof pipes);
    memcpy(CMSG_DATA(header), pipes, sizeof pipes);
    return sendmsg(sock, &message, MSG_NOSIGNAL) == 1;
}

/* Receive until the app's first line is complete, or it has closed. -1: the host is gone. */
static ssize_t first_line(int sock, char *bytes) {
    size_t count = 0;
    while (!memchr(bytes, '\n', count) && count < CHUNK) {
        if (!wait_for_app(sock)) return -1;
        ssize_t more = recv(sock, bytes + count, CHUNK - count, 0);
        if (more <= 0) break;
        count += (size_t)more;
    }
    return (ssize_t)count;
}

static int begins(const char *bytes, ssize_t count, const char *line) {
    return count >= (ssize_t)strlen(line) && !memcmp(bytes, line, strlen(line));
}

static void serve(int sock) {
    static char bytes[CHUNK];
    if (!write_all(sock, text, used)) return;
    ssize_t count = first_line(sock, bytes);
    if (count <= 0) return;
    if (begins(bytes, count, "hands\n")) {
        int was_in = fcntl(0, F_GETFL), was_out = fcntl(1, F_GETFL);
        if (!pass_pipes(sock) || !wait_for_app(sock)) return;
        count = recv(sock, bytes, sizeof bytes, 0);
        fcntl(0, F_SETFL, was_in); /* shared with others; the app may have been killed before it could */
        fcntl(1, F_SETFL, was_out);
        if (count <= 0) return;
    }
    size_t skip = begins(bytes, count, "copy\n") ? strlen("copy\n") : 0;
    copy(sock, bytes + skip, (size_t)count - skip);
}

int main(int count, char **words) {
    arguments = words;
    if (count < 2 || (strcmp(words[1], "stdio") && strcmp(words[1], "wrap")) || !can_pass_pipes()) become_program();
    while (fcntl(2, F_GETFD) < 0) /* or the socket would become stderr */
        if (open("/dev/null", O_RDWR) < 0) return OTHER_FAILURE;
    const char *token = getenv(PROOF);
    add_hello(words + 1, token ? token : "");
    int sock = connect_app();
    signal(SIGPIPE, SIG_IGN);
    serve(sock);
    return 0;
}
