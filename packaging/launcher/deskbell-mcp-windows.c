/* deskbell-mcp.exe: what AI applications start, in a bundle for Windows.
 *
 * The usual way of bridge/shim/windows.py, in a process that starts at once: connect to the named pipe of the Deskbell
 * that runs, copy bytes both ways. It never parses a message. For everything else (help, mistakes, a Deskbell that
 * does not run yet, a folder whose name is not ASCII) it runs the bundle's console program beside it, which runs
 * bridge/shim itself, and ends with it. tests/live/test_windows_launcher.py holds the two against each other.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

enum { CHUNK = 65536, OTHER_FAILURE = 5, LONGEST = 32768 };

static const wchar_t PROOF[] = L"DESKBELL_HOST_TOKEN";
static const wchar_t PROGRAM[] = L"deskbell-console.exe";
static HANDLE from_host, to_host;

/* ---- a text that grows ---------------------------------------------------------------------------------- */

static char *text;
static size_t used, room;

static void add(const char *words) {
    size_t count = strlen(words);
    if (used + count + 1 > room) {
        room = (used + count + 1) * 2;
        text = realloc(text, room);
        if (!text) ExitProcess(OTHER_FAILURE);
    }
    memcpy(text + used, words, count + 1);
    used += count;
}

/* Add a JSON string in ASCII; half a surrogate pair stays one. */
static void add_quoted(const wchar_t *words, size_t count) {
    char unit[8];
    add("\"");
    for (; count; count--, words++) {
        if (*words == '"' || *words == '\\') snprintf(unit, sizeof unit, "\\%c", (char)*words);
        else if (*words >= ' ' && *words <= '~') snprintf(unit, sizeof unit, "%c", (char)*words);
        else snprintf(unit, sizeof unit, "\\u%04x", (unsigned)*words & 0xffff);
        add(unit);
    }
    add("\"");
}

static void add_field(const char *name, const wchar_t *value) {
    add(",\"");
    add(name);
    add("\":");
    add_quoted(value, wcslen(value));
}

/* ---- the bundle's program --------------------------------------------------------------------------------- */

static BOOL WINAPI leave_to_program(DWORD signal) { return signal == CTRL_C_EVENT || signal == CTRL_BREAK_EVENT; }

/* What follows the program's name in our command line, as it was given. */
static wchar_t *given_words(void) {
    wchar_t *line = GetCommandLine();
    if (*line == '"') {
        line = wcschr(line + 1, '"');
        return line ? line + 1 : L"";
    }
    return line + wcscspn(line, L" \t");
}

static HANDLE inherited(DWORD which) {
    HANDLE stream = GetStdHandle(which);
    SetHandleInformation(stream, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    return stream;
}

/* Run the bundle's program with the same arguments, files and console; end as it ends, and it ends with us. What it
 * starts is in no job of ours: Deskbell stays. */
static void become_program(void) {
    static wchar_t program[LONGEST + 32];
    STARTUPINFO start = {.cb = sizeof start};
    PROCESS_INFORMATION made;
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    HANDLE job = CreateJobObject(NULL, NULL);
    DWORD code = OTHER_FAILURE;
    if (!GetModuleFileName(NULL, program, LONGEST)) ExitProcess(code);
    wcscpy(wcsrchr(program, '\\') + 1, PROGRAM);
    wchar_t *words = given_words(), *line = malloc((wcslen(program) + wcslen(words) + 8) * sizeof *line);
    if (!line) ExitProcess(code);
    wcscpy(line, L"\"");
    wcscat(line, program);
    wcscat(line, L"\"");
    wcscat(line, words);
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    SetConsoleCtrlHandler(leave_to_program, TRUE);
    GetStartupInfo(&start); /* a console that is hidden, for example */
    start.dwFlags |= STARTF_USESTDHANDLES;
    start.hStdInput = inherited(STD_INPUT_HANDLE);
    start.hStdOutput = inherited(STD_OUTPUT_HANDLE);
    start.hStdError = inherited(STD_ERROR_HANDLE);
    if (!CreateProcess(program, line, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &start, &made)) {
        fprintf(stderr, "deskbell: the program was moved or deleted. Start Deskbell once where it is now, or connect "
                        "this AI application again.\n");
        ExitProcess(code);
    }
    AssignProcessToJobObject(job, made.hProcess);
    ResumeThread(made.hThread);
    WaitForSingleObject(made.hProcess, INFINITE);
    GetExitCodeProcess(made.hProcess, &code);
    ExitProcess(code);
}

/* ---- the hello line (bridge/shim hello) --------------------------------------------------------------------- */

/* Take the value of `--name VALUE` or `--name=VALUE` from *words. */
static const wchar_t *option(wchar_t ***words, const wchar_t *name) {
    size_t length = wcslen(name);
    wchar_t *word = **words;
    if (wcsncmp(word, name, length)) return NULL;
    if (word[length] == '=') return (*words)++, word + length + 1;
    if (word[length] || !(*words)[1]) return NULL;
    *words += 2;
    return (*words)[-1];
}

/* As Python's os.environ has it: names in capitals, none of the hidden ones (`=C:`). */
static void add_environment(void) {
    wchar_t *block = GetEnvironmentStrings();
    int first = 1;
    add(",\"env\":{");
    for (wchar_t *variable = block; variable && *variable; variable += wcslen(variable) + 1) {
        wchar_t *equals = wcschr(variable, '=');
        if (!equals || equals == variable) continue;
        for (wchar_t *letter = variable; letter < equals; letter++) {
            if (*letter > '~') become_program(); /* whose capitals only Python knows */
            if (*letter >= 'a' && *letter <= 'z') *letter -= 'a' - 'A';
        }
        if (!wcsncmp(variable, PROOF, wcslen(PROOF)) && variable + wcslen(PROOF) == equals) continue;
        if (!first) add(",");
        first = 0;
        add_quoted(variable, (size_t)(equals - variable));
        add(":");
        add_quoted(equals + 1, wcslen(equals + 1));
    }
    add("}");
}

static void add_hello(wchar_t **words) {
    static wchar_t token[LONGEST], folder[LONGEST];
    const wchar_t *server = L"", *host_name = L"", *name = L"", *era = L"", *value;
    int wrap = !wcscmp(*words++, L"wrap");
    while (*words && **words == '-') {
        if (!wcscmp(*words, L"--")) {
            words++;
            break;
        }
        if ((value = option(&words, L"--host-name"))) host_name = value;
        else if (!wrap && (value = option(&words, L"--server"))) server = value;
        else if (wrap && (value = option(&words, L"--name"))) name = value;
        else if (wrap && (value = option(&words, L"--era"))) era = value;
        else become_program(); /* which explains */
    }
    if (!wrap == !!*words) become_program();
    if (*era && wcscmp(era, L"legacy") && wcscmp(era, L"modern")) become_program();
    if (GetEnvironmentVariable(PROOF, token, LONGEST) >= LONGEST) become_program();
    add("{\"deskbell\":1,\"verb\":");
    add(wrap ? "\"wrap\"" : "\"stdio\"");
    if (wrap) {
        if (!GetCurrentDirectory(LONGEST, folder)) become_program();
        add_field("name", name);
        add_field("era", era);
        add_field("command", *words);
        add(",\"args\":[");
        for (wchar_t **word = words + 1; *word; word++) {
            if (word > words + 1) add(",");
            add_quoted(*word, wcslen(*word));
        }
        add("]");
        add_field("cwd", folder);
        add_environment();
    } else {
        add_field("server", server);
    }
    add_field("host_name", host_name);
    add_field("token", token);
    add("}\n");
}

/* ---- the way to the pipe (bridge/shim home, windows.py) ------------------------------------------------------- */

/* The value of a variable, in `value`; 0 if it is unset or empty. */
static int variable(const wchar_t *name, wchar_t *value) {
    DWORD length = GetEnvironmentVariable(name, value, LONGEST);
    if (length >= LONGEST) become_program();
    return length > 0;
}

/* The folder of Deskbell's state in lower-case ASCII, by which the pipe is named. */
static void find_home(char *home) {
    static wchar_t given[LONGEST + 32], path[LONGEST];
    if (!variable(L"DESKBELL_HOME", given)) {
        if (!variable(L"LOCALAPPDATA", given)) {
            if (!variable(L"USERPROFILE", given)) become_program();
            wcscat(given, L"\\AppData\\Local");
        }
        wcscat(given, L"/deskbell");
    }
    if (*given == '~' || *given == '\\') become_program(); /* of a person, of the network */
    DWORD length = GetFullPathName(given, LONGEST, path, NULL);
    if (!length || length >= LONGEST) become_program();
    while (length > 3 && path[length - 1] == '\\') length--;
    for (DWORD i = 0; i < length; i++) {
        if (path[i] < ' ' || path[i] > '~') become_program();
        home[i] = (char)(path[i] >= 'A' && path[i] <= 'Z' ? path[i] + ('a' - 'A') : path[i]);
    }
    home[length] = 0;
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
static HANDLE connect_app(void) {
    static char home[LONGEST];
    wchar_t path[64];
    find_home(home);
    swprintf(path, sizeof path / sizeof *path, L"\\\\.\\pipe\\deskbell-%08x", crc32(home));
    for (;;) {
        DWORD flags = FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION;
        HANDLE pipe = CreateFile(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, flags, NULL);
        if (pipe != INVALID_HANDLE_VALUE) return pipe;
        if (GetLastError() != ERROR_PIPE_BUSY) become_program();
        WaitNamedPipe(path, 1000);
    }
}

/* Wait for an overlapped operation of the pipe; the bytes it moved, 0 if the app has closed. Overlapped, or a write
 * would wait for a pending read of the same handle. */
static DWORD finished(HANDLE pipe, BOOL at_once, OVERLAPPED *operation) {
    DWORD moved = 0;
    if (!at_once && GetLastError() != ERROR_IO_PENDING) return 0;
    return GetOverlappedResult(pipe, operation, &moved, TRUE) ? moved : 0;
}

static int write_app(HANDLE pipe, const char *bytes, DWORD count) {
    OVERLAPPED operation = {.hEvent = CreateEvent(NULL, TRUE, FALSE, NULL)};
    DWORD written = finished(pipe, WriteFile(pipe, bytes, count, NULL, &operation), &operation);
    CloseHandle(operation.hEvent);
    return written == count;
}

static DWORD WINAPI copy_from_host(void *pipe) {
    static char bytes[CHUNK];
    DWORD count = 0;
    while (ReadFile(from_host, bytes, CHUNK, &count, NULL) && count)
        if (!write_app(pipe, bytes, count)) return 0; /* closed: the other thread ends after its last output */
    ExitProcess(0); /* a named pipe has no half-close: exiting closes it */
}

static void copy(HANDLE pipe) {
    static char bytes[CHUNK];
    OVERLAPPED operation = {.hEvent = CreateEvent(NULL, TRUE, FALSE, NULL)};
    DWORD count, written;
    if (!write_app(pipe, text, (DWORD)used)) return;
    if (!CreateThread(NULL, 0, copy_from_host, pipe, 0, NULL)) return;
    while ((count = finished(pipe, ReadFile(pipe, bytes, CHUNK, NULL, &operation), &operation)))
        for (DWORD done = 0; done < count; done += written)
            if (!WriteFile(to_host, bytes + done, count - done, &written, NULL)) return;
}

int wmain(int count, wchar_t **words) {
    from_host = GetStdHandle(STD_INPUT_HANDLE);
    to_host = GetStdHandle(STD_OUTPUT_HANDLE);
    if (count < 2 || (wcscmp(words[1], L"stdio") && wcscmp(words[1], L"wrap"))) become_program();
    add_hello(words + 1);
    copy(connect_app());
    ExitProcess(0); /* the other thread may wait for the host */
}
