/* The runtime of the AppImage (type 2): an ELF program with a squashfs image behind it.
 *
 * Mounts the image by FUSE and becomes its AppRun; where there is no FUSE (a container, no fusermount3), unpacks it
 * once into the person's cache and runs that. A second process serves the mount. It goes when nobody uses the mount
 * any more, not when the first process ends: Deskbell started for an AI application outlives the one that was
 * asked to start it.
 */
#define _GNU_SOURCE
#define FUSE_USE_VERSION 32
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <squashfuse/ll.h>

enum { FAILED = 127, CHUNK = 1 << 20, SHORTEST_WAIT_MS = 200, LONGEST_WAIT_MS = 10000 };

static char self[PATH_MAX], mounted[PATH_MAX];
static int first_process; /* a pidfd */

static const char HELP[] =
    "AppImage options:\n"
    "  --appimage-extract [PATTERN]  unpack into the folder squashfs-root, here\n"
    "  --appimage-extract-and-run    run without FUSE, from an unpacked copy (also APPIMAGE_EXTRACT_AND_RUN=1)\n"
    "  --appimage-mount              mount, print where, stay until you press Ctrl+C\n"
    "  --appimage-offset             print where the image begins\n"
    "  --appimage-version            print the version of this runtime\n"
    "  --appimage-help               print this\n";

static void die(const char *what, const char *which) {
    fprintf(stderr, "AppImage: %s%s%s\n", what, which ? " " : "", which ? which : "");
    exit(FAILED);
}

/* The image begins where the ELF file ends: behind its table of section headers. */
static size_t image_offset(void) {
    Elf64_Ehdr head;
    int fd = open(self, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, &head, sizeof head) != sizeof head) die("cannot read", self);
    close(fd);
    return head.e_shoff + (size_t)head.e_shentsize * head.e_shnum;
}

/* ---- mounting ------------------------------------------------------------------------------------------ */

static int unmount(void) {
    if (!umount2(mounted, 0)) return 1;
    pid_t child = fork();
    if (!child) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 1), dup2(null, 2);
        execlp("fusermount3", "fusermount3", "-u", mounted, (char *)NULL);
        _exit(FAILED);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Once the first process has ended, unmount as soon as nobody uses the mount. */
static void *watch(void *unused) {
    (void)unused;
    struct pollfd end = {.fd = first_process, .events = POLLIN};
    while (poll(&end, 1, -1) < 0 && errno == EINTR) continue;
    for (int wait = SHORTEST_WAIT_MS; !unmount(); wait = wait * 2 > LONGEST_WAIT_MS ? LONGEST_WAIT_MS : wait * 2)
        poll(NULL, 0, wait);
    return NULL;
}

/* Serve the mount until it ends. Writes one byte into `ready` when it is there. */
static void serve(int ready, size_t offset) {
    struct fuse_lowlevel_ops operations = {
        .getattr = sqfs_ll_op_getattr, .opendir = sqfs_ll_op_opendir,     .releasedir = sqfs_ll_op_releasedir,
        .readdir = sqfs_ll_op_readdir, .lookup = sqfs_ll_op_lookup,       .open = sqfs_ll_op_open,
        .create = sqfs_ll_op_create,   .release = sqfs_ll_op_release,     .read = sqfs_ll_op_read,
        .readlink = sqfs_ll_op_readlink, .listxattr = sqfs_ll_op_listxattr, .getxattr = sqfs_ll_op_getxattr,
        .forget = sqfs_ll_op_forget,   .statfs = stfs_ll_op_statfs,
    };
    char *words[] = {"deskbell", "-oro,fsname=deskbell,subtype=squashfuse", NULL};
    struct fuse_args arguments = FUSE_ARGS_INIT(2, words);
    sqfs_ll_chan channel;
    pthread_t thread;
    setsid();
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    sqfs_ll *image = sqfs_ll_open(self, offset);
    if (!image || sqfs_ll_mount(&channel, mounted, &arguments, &operations, sizeof operations, image)) _exit(1);
    if (write(ready, "m", 1) != 1) _exit(1);
    close(ready);
    if (chdir("/") || pthread_create(&thread, NULL, watch, NULL)) _exit(1);
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0), dup2(null, 1), dup2(null, 2); /* a host waits for the end of its pipes */
    fuse_session_loop(channel.session);
    rmdir(mounted);
    _exit(0);
}

/* Mount; 0 if this system cannot. */
static int mount_image(size_t offset) {
    const char *temporary = getenv("TMPDIR");
    int ready[2];
    char byte;
    if (access("/dev/fuse", R_OK | W_OK)) return 0;
    snprintf(mounted, sizeof mounted, "%s/.mount_DeskbellXXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(mounted) || pipe2(ready, O_CLOEXEC)) return 0;
    first_process = (int)syscall(SYS_pidfd_open, getpid(), 0);
    pid_t server = first_process < 0 ? -1 : fork();
    if (!server) {
        close(ready[0]);
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 2); /* what libfuse says where there is no FUSE: we unpack then */
        serve(ready[1], offset);
    }
    close(ready[1]);
    if (first_process >= 0) close(first_process);
    int done = server > 0 && read(ready[0], &byte, 1) == 1;
    close(ready[0]);
    if (!done) {
        if (server > 0) waitpid(server, NULL, 0);
        rmdir(mounted);
    }
    return done;
}

/* ---- unpacking ------------------------------------------------------------------------------------------ */

static void write_file(sqfs *image, sqfs_inode *inode, const char *path) {
    static char bytes[CHUNK];
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, inode->base.mode & 0777);
    if (fd < 0) die("cannot write", path);
    for (sqfs_off_t place = 0; place < (sqfs_off_t)inode->xtra.reg.file_size;) {
        sqfs_off_t count = CHUNK;
        if (sqfs_read_range(image, inode, place, &count, bytes) || count <= 0) die("cannot read", path);
        for (sqfs_off_t done = 0; done < count;) {
            ssize_t written = write(fd, bytes + done, (size_t)(count - done));
            if (written < 0) die("cannot write", path);
            done += written;
        }
        place += count;
    }
    close(fd);
}

static void make_parents(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0755);
        *slash = '/';
    }
}

static void write_entry(sqfs *image, sqfs_dir_entry *entry, char *path) {
    char target[PATH_MAX];
    size_t size = sizeof target;
    sqfs_inode inode;
    if (sqfs_inode_get(image, &inode, sqfs_dentry_inode(entry))) die("the image is damaged at", path);
    make_parents(path);
    if (S_ISDIR(inode.base.mode)) {
        mkdir(path, 0755);
    } else if (S_ISLNK(inode.base.mode)) {
        unlink(path);
        if (sqfs_readlink(image, &inode, target, &size) || symlink(target, path)) die("cannot write", path);
    } else if (S_ISREG(inode.base.mode)) {
        write_file(image, &inode, path);
    }
}

/* Unpack what matches `pattern` (NULL: everything) into `folder`. */
static void extract(size_t offset, const char *folder, const char *pattern) {
    sqfs image;
    sqfs_traverse walk;
    sqfs_err problem = SQFS_OK;
    char path[PATH_MAX];
    if (sqfs_open_image(&image, self, offset)) die("cannot open", self);
    if (sqfs_traverse_open(&walk, &image, sqfs_inode_root(&image))) die("the image is damaged", NULL);
    while (sqfs_traverse_next(&walk, &problem)) {
        if (walk.dir_end || (pattern && fnmatch(pattern, walk.path, FNM_FILE_NAME | FNM_LEADING_DIR))) continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, walk.path) >= (int)sizeof path) die("too long:", walk.path);
        write_entry(&image, &walk.entry, path);
    }
    if (problem) die("the image is damaged", NULL);
    sqfs_traverse_close(&walk);
    sqfs_destroy(&image);
}

/* Unpack into the person's cache, once for each build. Leaves the folder's path in `mounted`. */
static void extract_once(size_t offset) {
    char part[PATH_MAX];
    struct stat info;
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (stat(self, &info)) die("cannot read", self);
    char base[PATH_MAX / 2];
    if (cache && *cache == '/') snprintf(base, sizeof base, "%s/deskbell-appimage", cache);
    else if (home && *home == '/') snprintf(base, sizeof base, "%s/.cache/deskbell-appimage", home);
    else snprintf(base, sizeof base, "/tmp/deskbell-appimage-%u", getuid());
    snprintf(mounted, sizeof mounted, "%s/%llx-%llx", base, (long long)info.st_size, (long long)info.st_mtime);
    make_parents(mounted);
    if (chmod(base, 0700) || stat(base, &info) || info.st_uid != getuid()) die("belongs to somebody else:", base);
    int lock = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* one unpacks, others wait for it */
    if (!access(mounted, F_OK) || (flock(lock, LOCK_EX), !access(mounted, F_OK))) return;
    snprintf(part, sizeof part, "%s.%d", mounted, getpid());
    extract(offset, part, NULL);
    if (rename(part, mounted) && access(mounted, F_OK)) die("cannot make", mounted);
}

/* ---- the program ----------------------------------------------------------------------------------------- */

static void become_apprun(char **words) {
    char program[PATH_MAX], here[PATH_MAX];
    setenv("APPDIR", mounted, 1);
    setenv("APPIMAGE", self, 1);
    setenv("ARGV0", words[0], 1);
    if (getcwd(here, sizeof here)) setenv("OWD", here, 1);
    snprintf(program, sizeof program, "%s/AppRun", mounted);
    execv(program, words);
    die(strerror(errno), program);
}

static void stay_mounted(size_t offset) {
    sigset_t ending;
    int received;
    if (!mount_image(offset)) die("there is no FUSE here; use --appimage-extract", NULL);
    puts(mounted);
    fflush(stdout);
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigprocmask(SIG_BLOCK, &ending, NULL);
    sigwait(&ending, &received);
}

int main(int count, char **words) {
    if (!realpath("/proc/self/exe", self)) die("needs /proc", NULL);
    size_t offset = image_offset();
    const char *option = count > 1 && !strncmp(words[1], "--appimage-", 11) ? words[1] + 11 : "";
    const char *unpacked = getenv("APPIMAGE_EXTRACT_AND_RUN");
    if (!strcmp(option, "help")) return fputs(HELP, stdout), 0;
    if (!strcmp(option, "offset")) return printf("%zu\n", offset), 0;
    if (!strcmp(option, "version")) return puts("type 2, runtime of Deskbell"), 0;
    if (!strcmp(option, "extract")) return extract(offset, "squashfs-root", count > 2 ? words[2] : NULL), 0;
    if (!strcmp(option, "mount")) return stay_mounted(offset), 0;
    int without_fuse = !strcmp(option, "extract-and-run");
    if (without_fuse) {
        words[1] = words[0];
        words++;
    } else if (*option) {
        die("there is no option", words[1]);
    }
    if (without_fuse || (unpacked && *unpacked == '1') || !mount_image(offset)) extract_once(offset);
    become_apprun(words);
}
