import Glibc
import PinholeModel
import PinholeProxy
import PinholeRules

/// Answers from files, for `mock` and `mapLocal` rules.
///
/// Each request reads its file anew. Nothing outside of a rule's folder is read: symbolic links are resolved
/// first, and their target has to lie in the folder. No rule can send Pinhole's own secrets.
struct LocalFiles {
    /// The largest file that is sent; larger ones are refused.
    static let limit = MockAnswer.fileLimit
    /// The largest content that is read at once.
    ///
    /// Longer content is read while it is sent; otherwise many clients that do not read would fill the memory.
    static let wholeLimit = 64 << 10

    func decide(_ question: Consultation) -> ExchangeDecision {
        switch question {
        case .wait, .message, .replay: .proceed
        case .file(let mock, let request, let reason): answer(mock, request, reason)
        case .local(let map, let request, let reason): answer(map, request, reason)
        }
    }

    private func answer(_ mock: MockAnswer, _ request: RuleRequest, _ reason: String) -> ExchangeDecision {
        guard case .file(let path) = mock.content else { return .proceed }
        do throws(FileFailure) {
            var answer = Answer(mock, body: [], reason: reason)
            try Self.fill(&answer, from: path)
            if !answer.fields.contains(where: { $0.name.lowercased() == "content-type" }) {
                answer.fields.append(HeaderLine("Content-Type", MediaType.of(path)))
            }
            answer.meet(request, at: LoopClock.wallTime())
            return .answer(answer)
        } catch {
            return .answer(Self.page(status: 502, error, reason))
        }
    }

    private func answer(_ map: LocalMap, _ request: RuleRequest, _ reason: String) -> ExchangeDecision {
        do throws(FileFailure) {
            let file = try Self.file(map, request.path)
            var answer = Answer(
                status: 200,
                fields: [
                    HeaderLine("Content-Type", MediaType.of(file)),
                    HeaderLine("Cache-Control", "no-cache"),
                ],
                body: [],
                reason: reason
            )
            try Self.fill(&answer, from: file)
            answer.meet(request, at: LoopClock.wallTime())
            return .answer(answer)
        } catch {
            return .answer(Self.page(status: 404, error, reason))
        }
    }

    /// The file that `path` denotes.
    private static func file(_ map: LocalMap, _ path: String) throws(FileFailure) -> String {
        guard map.isFolder else { return map.root }
        guard let names = map.names(for: path) else {
            throw FileFailure("the path means nothing in \(map.root)", shown: "the path means no file")
        }
        let root = try resolved(map.root)
        var file = try resolved(([root] + names).joined(separator: "/"))
        guard isInside(file, root) else { throw outside(of: map) }
        if isFolder(file) {
            file = try resolved(file + "/index.html")
            guard isInside(file, root) else { throw outside(of: map) }
        }
        return file
    }

    private static func outside(of map: LocalMap) -> FileFailure {
        FileFailure("it lies outside of \(map.root)", shown: "the path means no file")
    }

    private static func isInside(_ path: String, _ root: String) -> Bool {
        path == root || path.hasPrefix(root == "/" ? root : root + "/")
    }

    /// The path with all symbolic links resolved.
    private static func resolved(_ path: String) throws(FileFailure) -> String {
        guard let real = realpath(path, nil) else { throw FileFailure(system: path) }
        defer { free(real) }
        return String(cString: real)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Reads the whole content of a file.
    static func content(of path: String) throws(FileFailure) -> [UInt8] {
        let file = try OpenFile(path)
        try file.checkSize(path)
        guard let bytes = file.read(0..<file.size) else { throw FileFailure(system: path) }
        return bytes
    }

    /// Fills an answer from a file.
    ///
    /// Short content is read at once, longer content while it is sent.
    private static func fill(_ answer: inout Answer, from path: String) throws(FileFailure) {
        let file = try OpenFile(path)
        if answer.status == 200 { answer.name(file.version, at: LoopClock.wallTime()) }
        guard file.size > wholeLimit else {
            guard let bytes = file.read(0..<file.size) else { throw FileFailure(system: path) }
            answer.body = bytes
            return
        }
        try file.checkSize(path)
        // The descriptor is closed between reads, since many slow clients would use up all descriptors.
        let version = file.version
        answer.content = AnswerContent(length: file.size) { range in
            guard let file = try? OpenFile(path), file.version == version else { return nil }
            return file.read(range)
        }
    }

    /// The page describes the problem to any client of the proxy.
    ///
    /// Only the record names the path of the file.
    private static func page(status: Int, _ failure: FileFailure, _ reason: String) -> Answer {
        var answer = ErrorPage(
            status: status,
            title: "A rule has no file for this",
            detail: "A rule of this proxy answers with a file, but \(failure.shown).",
            remedy:
                "pinhole flows show tells which rule and which file; pinhole rules check looks for what rules name."
        ).answer(accept: nil)
        answer.reason = "\(reason), but \(failure.detail)"
        return answer
    }
}

extension Answer {
    /// Adds the fields by which a client recognises a version of a file, unless a rule has set its own.
    fileprivate mutating func name(_ version: OpenFile.Version, at now: Timestamp) {
        func add(_ name: String, _ value: String) {
            guard !fields.contains(where: { $0.name.lowercased() == name.lowercased() }) else { return }
            fields.append(HeaderLine(name, value))
        }
        add("ETag", version.tag)
        // A date in the future must not be sent (RFC 9110 §8.8.2.1).
        guard version.modified <= now, let date = HTTPDate.text(version.modified) else { return }
        add("Last-Modified", date)
    }
}

/// The reason why a file cannot be sent.
struct FileFailure: Error {
    /// The text for the record.
    let detail: String
    /// The text for the client, without any path of this machine.
    let shown: String

    init(_ detail: String, shown: String) {
        self.detail = detail
        self.shown = shown
    }

    /// Creates a failure from `errno`.
    init(system path: String) {
        let reason = String(cString: strerror(errno))
        self.init("\(path): \(reason)", shown: "it cannot be read: \(reason)")
    }
}

/// A file that is open for reading.
private final class OpenFile {
    /// The facts by which a later read recognises that the file has changed since the answer began.
    struct Version: Equatable, Sendable {
        let device: UInt
        let number: UInt
        let size: Int
        /// The time of the last change of the content, in seconds and nanoseconds.
        let changed: [Int]
        /// The time of the last change of the content, the name or the rights, in seconds and nanoseconds.
        ///
        /// Nobody can set it back, unlike `changed`.
        let touched: [Int]

        /// The time of the last change of the content.
        var modified: Timestamp { Timestamp(seconds: Int64(changed.first ?? 0)) }

        /// A strong entity tag (RFC 9110 §8.8.3), without the number of the file, which would tell about the disk.
        var tag: String {
            let parts = changed + touched + [size]
            return "\"" + parts.map { String($0, radix: 16) }.joined(separator: ".") + "\""
        }
    }

    let version: Version
    private let descriptor: Int32

    init(_ path: String) throws(FileFailure) {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileFailure(system: path) }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        version = Version(
            device: status.st_dev,
            number: status.st_ino,
            size: status.st_size,
            changed: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec],
            touched: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        )
        guard isKnown, status.st_mode & S_IFMT == S_IFREG else {
            throw FileFailure("\(path) is no file", shown: "what the rule names is no file")
        }
        if let secret = OwnSecret(descriptor) {
            throw FileFailure(
                "\(path) is not sent by any rule: it is \(secret.rawValue)",
                shown: "the path means no file"
            )
        }
    }

    deinit { close(descriptor) }

    var size: Int { version.size }

    func checkSize(_ path: String) throws(FileFailure) {
        guard size > LocalFiles.limit else { return }
        let limit = "\(LocalFiles.limit >> 20) MiB"
        throw FileFailure("\(path) is larger than \(limit)", shown: "the file is larger than \(limit)")
    }

    /// Reads the bytes of a range; fewer if the file ends before, `nil` if the file cannot be read.
    func read(_ range: Range<Int>) -> [UInt8]? {
        var content = [UInt8](repeating: 0, count: range.count)
        var count = 0
        while count < content.count {
            let read = content.withUnsafeMutableBytes { bytes in
                pread(
                    descriptor,
                    bytes.baseAddress.map { $0 + count },
                    bytes.count - count,
                    range.lowerBound + count
                )
            }
            guard read >= 0 else { return nil }
            guard read > 0 else { break }
            count += read
        }
        content.removeLast(content.count - count)
        return content
    }
}
