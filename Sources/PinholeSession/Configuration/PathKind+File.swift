import Glibc
package import PinholeRules

extension RuleSet.PathKind {
    /// Determines the kind of the file at `path`; symbolic links are followed.
    package init(ofFile path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = [ENOENT, ENOTDIR].contains(errno) ? .missing : .unreadable
            return
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        guard access(path, isFolder ? X_OK : R_OK) == 0 else {
            self = .unreadable
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: self = .folder
        case S_IFREG: self = status.st_size > MockAnswer.fileLimit ? .large : .file
        default: self = .special
        }
    }
}
