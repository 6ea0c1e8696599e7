// The files of a program's folder, in memory: it sees those that it was given, and what it writes is handed over.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "kbfs.h"
#include "../../host_runtime/plan.h"
#include "program.h"

namespace kb_program {

namespace {

struct File {
    std::string path;
    uint8_t* data = nullptr;
    size_t bytes = 0;
    size_t capacity = 0;  // of `data`, where it is the file's own
    bool folder = false;
    bool changed = false;
};

struct Open {
    File* file = nullptr;
    size_t at = 0;
    bool reads = false;
    bool writes = false;
    bool appends = false;
};

constexpr int kFirst = 16;  // the first descriptor of a file
constexpr size_t kMostOpen = 64;

uint8_t* given;
std::vector<std::unique_ptr<File>> files;
Open opened[kMostOpen];

// "./a//b/../c" → "a/c"; what lies outside the folder has no name.
bool normal(const char* path, std::string& out) {
    if (path == nullptr || path[0] == '/') return false;
    std::vector<std::string> parts;
    for (const char* at = path; *at != 0;) {
        const size_t n = strcspn(at, "/");
        const std::string part(at, n);
        at += n + (at[n] == '/');
        if (part == "..") {
            if (parts.empty()) return false;
            parts.pop_back();
        } else if (!part.empty() && part != ".") {
            parts.push_back(part);
        }
    }
    out.clear();
    for (const std::string& part : parts) out += (out.empty() ? "" : "/") + part;
    return true;
}

File* find(const std::string& path) {
    for (const auto& file : files) {
        if (file->path == path) return file.get();
    }
    return nullptr;
}

bool has_folder(const std::string& path) {
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return true;
    const File* folder = find(path.substr(0, slash));
    return folder != nullptr && folder->folder;
}

File* add(const std::string& path) {
    files.push_back(std::make_unique<File>());
    files.back()->path = path;
    return files.back().get();
}

void hand_over(File& file) {
    if (!kbfs::write_all(kFilesOut, file.data, file.bytes)) {
        kbfs::die("output_limit", "the program has written more files than it may");
    }
    kbfs::Report report;
    report.text("file", file.path.c_str()).unsigned_number("bytes", file.bytes);
    file.changed = false;
}

void grow(File& file, size_t bytes) {
    if (bytes > file.capacity) {
        const size_t room = bytes * 2 < 4096 ? 4096 : bytes * 2;
        auto* larger = static_cast<uint8_t*>(malloc(room));
        if (file.bytes > 0) memcpy(larger, file.data, file.bytes);
        if (file.capacity > 0) free(file.data);
        file.data = larger;
        file.capacity = room;
    }
    if (bytes > file.bytes) memset(file.data + file.bytes, 0, bytes - file.bytes);
}

int fail(int error) {
    errno = error;
    return -1;
}

Open* open_of(int fd) {
    const auto index = static_cast<size_t>(fd - kFirst);
    return fd >= kFirst && index < kMostOpen && opened[index].file != nullptr ? &opened[index] : nullptr;
}

int take(File* file, bool reads, bool writes, bool appends) {
    for (size_t i = 0; i < kMostOpen; ++i) {
        if (opened[i].file == nullptr) {
            opened[i] = {file, 0, reads, writes, appends};
            return kFirst + static_cast<int>(i);
        }
    }
    return fail(EMFILE);
}

int open_file(const char* path, bool reads, bool writes, bool creates, bool truncates, bool appends) {
    std::string name;
    if (!normal(path, name)) return fail(ENOENT);
    File* file = find(name);
    if (file != nullptr && file->folder && writes) return fail(EISDIR);
    if (file == nullptr) {
        if (!creates || !has_folder(name)) return fail(ENOENT);
        file = add(name);
        file->changed = true;
    }
    if (writes && truncates) {
        file->bytes = 0;
        file->changed = true;
    }
    return take(file, reads, writes, appends);
}

int describe(const File& file, struct stat* out) {
    *out = {};
    out->st_mode = file.folder ? S_IFDIR | 0755 : S_IFREG | 0644;
    out->st_nlink = 1;
    out->st_size = static_cast<off_t>(file.bytes);
    out->st_blksize = 4096;
    return 0;
}

}  // namespace

void map_files() {
    const int64_t bytes = kbfs::file_bytes(kFilesIn);
    if (bytes > 0) {
        given = static_cast<uint8_t*>(kbfs::map_file(kFilesIn, 0, static_cast<size_t>(bytes), kbfs::kReadWrite, false));
        if (given == nullptr) kbfs::die("harness_error", "the program's files cannot be mapped");
    }
    kbfs::allow_write(kFilesOut);
}

void list_files() {
    for (const kbhost::Json& entry : kbhost::plan()["files"].items()) {
        File* file = add(entry.items()[0].text());
        const int64_t at = entry.items()[1].integer();
        file->folder = at < 0;
        file->bytes = static_cast<size_t>(entry.items()[2].integer());
        file->data = file->folder ? nullptr : given + at;
    }
}

void keep_files() {
    for (const auto& file : files) {
        if (file->changed && !file->folder) hand_over(*file);
    }
}

}  // namespace kb_program

using namespace kb_program;

extern "C" {

int kbfile_open(const char* path, bool in, bool out, bool append, bool truncate) {
    return open_file(path, in, out, out && (!in || truncate || append), truncate, append);
}

int open(const char* path, int flags, ...) {
    const int access = flags & O_ACCMODE;
    return open_file(path, access != O_WRONLY, access != O_RDONLY, (flags & O_CREAT) != 0, (flags & O_TRUNC) != 0,
                     (flags & O_APPEND) != 0);
}

int creat(const char* path, mode_t) {
    return open_file(path, false, true, true, true, false);
}

int close(int fd) {
    Open* o = open_of(fd);
    if (o == nullptr) return fail(EBADF);
    File* file = o->file;
    *o = {};
    if (file->changed && !file->folder) hand_over(*file);
    return 0;
}

ssize_t read(int fd, void* into, size_t bytes) {
    Open* o = open_of(fd);
    if (o == nullptr || !o->reads) return fd == 0 ? 0 : fail(EBADF);
    if (o->file->folder) return fail(EISDIR);
    const size_t left = o->at < o->file->bytes ? o->file->bytes - o->at : 0;
    const size_t n = bytes < left ? bytes : left;
    memcpy(into, o->file->data + o->at, n);
    o->at += n;
    return static_cast<ssize_t>(n);
}

ssize_t write(int fd, const void* from, size_t bytes) {
    if (fd == 1 || fd == 2) {
        kbfs::flush_stdout();
        return kbfs::write_all(fd, from, bytes) ? static_cast<ssize_t>(bytes) : fail(EIO);
    }
    Open* o = open_of(fd);
    if (o == nullptr || !o->writes) return fail(EBADF);
    File& file = *o->file;
    if (o->appends) o->at = file.bytes;
    grow(file, o->at + bytes);
    memcpy(file.data + o->at, from, bytes);
    o->at += bytes;
    file.bytes = o->at > file.bytes ? o->at : file.bytes;
    file.changed = true;
    return static_cast<ssize_t>(bytes);
}

off_t lseek(int fd, off_t by, int from) {
    Open* o = open_of(fd);
    if (o == nullptr) return fail(EBADF);
    const off_t base = from == SEEK_SET ? 0 : from == SEEK_CUR ? static_cast<off_t>(o->at) : static_cast<off_t>(o->file->bytes);
    if (base + by < 0) return fail(EINVAL);
    o->at = static_cast<size_t>(base + by);
    return base + by;
}

int stat(const char* path, struct stat* out) {
    std::string name;
    const File* file = normal(path, name) ? find(name) : nullptr;
    if (name.empty() && path != nullptr && path[0] != 0) {
        File folder;
        folder.folder = true;
        return describe(folder, out);
    }
    return file == nullptr ? fail(ENOENT) : describe(*file, out);
}

int lstat(const char* path, struct stat* out) {
    return stat(path, out);
}

int fstat(int fd, struct stat* out) {
    const Open* o = open_of(fd);
    return o == nullptr ? fail(EBADF) : describe(*o->file, out);
}

int access(const char* path, int) {
    struct stat ignored;
    return stat(path, &ignored);
}

int mkdir(const char* path, mode_t) {
    std::string name;
    if (!normal(path, name) || !has_folder(name)) return fail(ENOENT);
    if (name.empty() || find(name) != nullptr) return fail(EEXIST);
    add(name)->folder = true;
    kbfs::Report report;
    report.text("folder", name.c_str());
    return 0;
}

}  // extern "C"
