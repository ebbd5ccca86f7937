import Glibc
import PinholeFiles
import PinholeFilter
package import PinholeModel

/// Moves the content of a capture to a file of its own whenever the capture has grown beyond a size.
///
/// The recorded file stays in its place, so that the recorder and the console go on without a pause. Exchanges and
/// flows that are still running stay in it.
package struct CaptureRotation: Sendable, Equatable {
    /// A part of a capture that was moved.
    package struct Part: Sendable, Equatable {
        /// The file.
        package let path: String
        /// The number of exchanges and of flows without exchanges.
        package let entries: Int
        /// The bytes that the capture still uses, for what is running.
        package let left: Int64
    }

    /// The ending of the file that is being filled.
    private static let draft = ".rotating"

    /// The path of the capture.
    package let path: String
    /// The bytes in use from which on the content is moved.
    package let bytes: Int64
    /// The number of older files that are kept; `nil` for all.
    package let kept: Int?

    /// Describes a rotation.
    package init(of path: String, at bytes: Int64, keeping kept: Int?) {
        self.path = path
        self.bytes = bytes
        self.kept = kept
    }

    /// Moves the content of the capture, if there is enough.
    ///
    /// - Parameters:
    ///   - now: The time, which becomes a part of the file's name.
    ///   - left: The bytes that the last part left. They do not count, since a running WebSocket that is larger than the
    ///     limit would otherwise demand a new file each time.
    ///   - isCancelled: Called during the copy; `true` ends it.
    /// - Returns: The new file; `nil` if the capture is small, or if nothing in it has ended.
    /// - Throws: ``CaptureFailure`` if a file cannot be read or written, or if the copy was cancelled; then nothing is
    ///   removed.
    package func rotateIfDue(
        now: Timestamp,
        beyond left: Int64 = 0,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(CaptureFailure) -> Part? {
        let moved = MovedEntries(of: path)
        try moved.removeRest()
        let reader = try CaptureReader(path: path)
        guard try reader.usedBytes() - left >= bytes else { return nil }
        let target = newName(now)
        let draft = "\(path)\(Self.draft)"
        // A process that was killed may have left one.
        Self.remove(draft)
        defer { Self.remove(draft) }
        let ended = Filter(.not(.flag(.running)))
        var filter = TrafficFilter(ended)
        filter.flows?.showsSpares = true
        // What begins during the copy belongs to the next file.
        filter.restrict(before: try reader.extent().last + 1)
        let copy = CaptureCopy(into: draft, now: now)
        copy.isCancelled = isCancelled
        let entries = try copy.add(path, filter)
        try copy.finish()
        guard entries > 0 else { return nil }
        try moved.note(copy.numbers, movedTo: target)
        guard rename(draft, target) == 0 else {
            throw .system(path: target, String(cString: strerror(errno)))
        }
        try CaptureEditor(path: path).remove(copy.numbers)
        moved.forget()
        removeOldest()
        return Part(path: target, entries: entries, left: try reader.usedBytes())
    }

    /// Returns the older files of a capture, the oldest first.
    package static func parts(of path: String) -> [String] {
        let folder = FilePath.folder(of: path)
        let beginning = FilePath.name(of: path) + "."
        let names = (try? Folder.names(in: folder.isEmpty ? "." : folder)) ?? []
        return names.filter { $0.hasPrefix(beginning) && isMoment($0.dropFirst(beginning.count)) }.sorted()
            .map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
    }

    /// Whether a text is the end of a part's name: `20261127T121314Z`, or with `-2` and so on.
    private static func isMoment(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let moment = parts.first, parts.count <= 2, moment.utf8.count == 16, moment.hasSuffix("Z"),
            parts.dropFirst().allSatisfy({ Int($0) != nil })
        else { return false }
        return moment.dropLast().enumerated().allSatisfy { $0 == 8 ? $1 == "T" : $1.isASCII && $1.isNumber }
    }

    private func newName(_ now: Timestamp) -> String {
        let name = "\(path).\(now.iso8601.filter { $0 != "-" && $0 != ":" })"
        var number = 1
        while access(number == 1 ? name : "\(name)-\(number)", F_OK) == 0 { number += 1 }
        return number == 1 ? name : "\(name)-\(number)"
    }

    private func removeOldest() {
        guard let kept else { return }
        for path in Self.parts(of: path).dropLast(kept) { Self.remove(path) }
    }

    private static func remove(_ path: String) {
        for ending in ["", "-wal", "-shm"] { unlink(path + ending) }
    }
}

extension CaptureReader {
    /// Returns the bytes of the file that are in use, without those that were freed.
    fileprivate func usedBytes() throws(CaptureFailure) -> Int64 {
        try read { db in
            let free = try db.number("the file", "PRAGMA freelist_count") ?? 0
            return try CaptureSchema.fileBytes(db) - free * Int64(CaptureSchema.pageSize)
        }
    }
}
