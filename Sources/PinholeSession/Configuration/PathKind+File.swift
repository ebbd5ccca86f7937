import Glibc
import PinholeRules

extension RuleSet.PathKind {
    /// Determines the kind of the file at `path`; symbolic links are followed.
    init(ofFile path: String) {
        var status = stat()
        guard access(path, R_OK) == 0, stat(path, &status) == 0 else {
            self = .missing
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: self = .folder
        case S_IFREG: self = status.st_size > MockAnswer.fileLimit ? .large : .file
        default: self = .special
        }
    }
}
