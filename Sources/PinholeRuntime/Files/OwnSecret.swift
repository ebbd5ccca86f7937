import Glibc

/// A file of Pinhole that no rule may send, whatever the configuration says.
///
/// An attacker with the key of the authority or the token of the console controls what the proxy protects.
enum OwnSecret: String {
    case authority = "in the folder of a CA"
    case capture = "a capture of Pinhole"
    case console = "about the console of Pinhole"

    /// Recognises an open file; `nil` if it is none of Pinhole's secrets.
    ///
    /// The open file decides, not the path that led to it: a path may be a link, and it may change.
    init?(_ descriptor: Int32) {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
        guard count > 0 else {
            // Without /proc the path is unknown, so the file is treated as a secret.
            self = .authority
            return
        }
        let path = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
        if access("\(folder)/rootCA-key.pem", F_OK) == 0 {
            self = .authority
        } else if path.hasSuffix(".token") || path.hasSuffix(".console") {
            self = .console
        } else if Self.isCapture(descriptor) || Self.isBesideDatabase(path) {
            self = .capture
        } else {
            return nil
        }
    }

    /// Whether the file is a database with the application ID of captures.
    private static func isCapture(_ descriptor: Int32) -> Bool {
        let head = head(descriptor)
        return head.starts(with: magic) && head.count >= 72 && Array(head[68..<72]) == Array("Pinh".utf8)
    }

    /// Whether the file is a journal of a database; it may hold all content of a new capture.
    private static func isBesideDatabase(_ path: String) -> Bool {
        guard let suffix = ["-wal", "-shm", "-journal"].first(where: path.hasSuffix) else { return false }
        let descriptor = open(String(path.dropLast(suffix.count)), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return status.st_size == 0 || head(descriptor).starts(with: magic)
    }

    private static let magic = Array("SQLite format 3\0".utf8)

    private static func head(_ descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 72)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }
}
