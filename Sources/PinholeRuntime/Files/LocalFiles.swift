import Glibc
import PinholeProxy
import PinholeRules

/// Answers from files: those of `mock` and `mapLocal` rules.
///
/// Each request reads its file anew. Nothing outside of a rule's folder is read: symbolic links are followed first, and
/// what they lead to has to lie in the folder.
struct LocalFiles {
    /// Larger files are refused: an answer lies in memory.
    static let limit = 64 << 20

    func decide(_ question: Consultation) -> Decision {
        switch question {
        case .wait, .message: .proceed
        case .file(let mock, let reason): answer(mock, reason)
        case .local(let map, let path, let reason): answer(map, path, reason)
        }
    }

    private func answer(_ mock: MockAnswer, _ reason: String) -> Decision {
        guard case .file(let path) = mock.content else { return .proceed }
        do throws(FileFailure) {
            var answer = Answer(mock, body: try Self.content(of: path), reason: reason)
            if !answer.fields.contains(where: { $0.name.lowercased() == "content-type" }) {
                answer.fields.append(Answer.Field("Content-Type", MediaType.of(path)))
            }
            return .answer(answer)
        } catch {
            return .answer(Self.page(status: 502, path, error, reason))
        }
    }

    private func answer(_ map: LocalMap, _ path: String, _ reason: String) -> Decision {
        do throws(FileFailure) {
            let file = try Self.file(map, path)
            return .answer(
                Answer(
                    status: 200,
                    fields: [
                        Answer.Field("Content-Type", MediaType.of(file)),
                        Answer.Field("Cache-Control", "no-cache"),
                    ],
                    body: try Self.content(of: file),
                    reason: reason
                )
            )
        } catch {
            return .answer(Self.page(status: 404, path, error, reason))
        }
    }

    /// The file that `path` means.
    private static func file(_ map: LocalMap, _ path: String) throws(FileFailure) -> String {
        guard map.isFolder else { return map.root }
        guard let names = map.names(for: path) else {
            throw FileFailure("the path means nothing in \(map.root)")
        }
        let root = try resolved(map.root)
        var file = try resolved(([root] + names).joined(separator: "/"))
        guard isInside(file, root) else { throw FileFailure("it lies outside of \(map.root)") }
        if isFolder(file) {
            file = try resolved(file + "/index.html")
            guard isInside(file, root) else { throw FileFailure("it lies outside of \(map.root)") }
        }
        return file
    }

    private static func isInside(_ path: String, _ root: String) -> Bool {
        path == root || path.hasPrefix(root == "/" ? root : root + "/")
    }

    /// The path without symbolic links.
    private static func resolved(_ path: String) throws(FileFailure) -> String {
        guard let real = realpath(path, nil) else { throw FileFailure("\(path): \(FileFailure.reason)") }
        defer { free(real) }
        return String(cString: real)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func content(of path: String) throws(FileFailure) -> [UInt8] {
        // Without O_NONBLOCK a named pipe would be waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileFailure("\(path): \(FileFailure.reason)") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FileFailure("\(path) is no file")
        }
        guard status.st_size <= limit else {
            throw FileFailure("\(path) is larger than \(limit >> 20) MiB")
        }
        var content = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < content.count {
            let read = content.withUnsafeMutableBytes { bytes in
                Glibc.read(descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count)
            }
            guard read >= 0 else { throw FileFailure("\(path): \(FileFailure.reason)") }
            guard read > 0 else { break }
            count += read
        }
        return Array(content.prefix(count))
    }

    private static func page(
        status: Int,
        _ path: String,
        _ failure: FileFailure,
        _ reason: String
    ) -> Answer {
        ErrorPage(
            status: status,
            title: "A rule has no file for this",
            detail: "\(reason), but \(failure.detail).",
            remedy: "pinhole rules check says which files are missing."
        ).answer(accept: nil)
    }
}

/// Why a file cannot be sent.
struct FileFailure: Error {
    let detail: String

    init(_ detail: String) { self.detail = detail }

    /// What the system says.
    static var reason: String { String(cString: strerror(errno)) }
}
