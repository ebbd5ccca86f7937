import CLinux
import Glibc
package import PinholeModel

/// A process, by its first thread, and its parent process.
package struct ProcessFamily: Equatable {
    /// The number of the process.
    package let leader: Int32
    /// The number of the parent; 0 if the process has none here.
    package let parent: Int32
    /// Whether the process has ended, and only its exit code is kept for the parent.
    package var hasEnded = false
}

/// The processes of this machine, as proc(5) shows them.
///
/// A process may end at any moment. The table passes over entries that it cannot read or that are gone.
package struct ProcessTable {
    /// The read limit for small files.
    ///
    /// Names and the relevant lines are shorter.
    private static let contentLimit = 512
    private static let pathLimit = 4096
    /// The length at which the kernel cuts the name of a process (TASK_COMM_LEN).
    private static let cutName = 15

    /// The folder of the table.
    let root: String

    /// Reads the table in a folder.
    package init(root: String = "/proc") { self.root = root }

    /// The numbers of all processes, the highest first.
    ///
    /// High numbers usually belong to the newest processes.
    package func numbers() -> [Int32] {
        var numbers: [Int32] = []
        Self.eachEntry(of: root) { _, name in
            let number: Int32? = Self.number(UnsafeRawBufferPointer(start: name, count: strlen(name)))
            if let number { numbers.append(number) }
            return true
        }
        return numbers.sorted(by: >)
    }

    /// The most recently assigned numbers, the newest first.
    ///
    /// Some belong to threads or to processes that have ended.
    ///
    /// - Parameter count: The number of numbers to return.
    /// - Returns: The numbers.
    func newest(_ count: Int32) -> [Int32] {
        guard let text = Self.content("loadavg", in: root), let last = Self.lastNumber(in: text) else {
            return []
        }
        return Array((max(1, last - count + 1)...last).reversed())
    }

    /// The process that a thread belongs to, and its parent; `nil` if the thread has ended.
    package func family(of thread: Int32) -> ProcessFamily? {
        Self.content("status", in: "\(root)/\(thread)").flatMap(Self.family(in:))
    }

    /// Finds the wanted sockets that a process has open.
    ///
    /// - Parameters:
    ///   - pid: The process.
    ///   - most: The number of sockets after which the search stops.
    ///   - isWanted: Whether a socket with this number is wanted.
    /// - Returns: The sockets' numbers; empty if the process has ended or this process may not look into it.
    func sockets(of pid: Int32, most: Int, where isWanted: (UInt32) -> Bool) -> [UInt32] {
        var found: [UInt32] = []
        // 32 bytes hold the link of any socket. Longer links belong to files and do not match.
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { link in
            Self.eachEntry(of: "\(root)/\(pid)/fd") { directory, name in
                let count = Self.readLink(name, in: directory, into: link)
                guard count > 0 else { return true }
                let inode = Self.inode(in: UnsafeRawBufferPointer(rebasing: link[..<count]))
                // A process may have several descriptors of one connection.
                if let inode, isWanted(inode), !found.contains(inode) { found.append(inode) }
                return found.count < most
            }
        }
        return found
    }

    /// The name of a process and the file that it runs; `nil` if there is no such process.
    package func process(_ pid: Int32) -> ClientProcess? {
        // Everything below the open folder belongs to one process, even if its number is assigned again.
        let folder = open("\(root)/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        let path = Self.path(Self.link("exe", in: folder))
        guard let name = Self.name(Self.content("comm", in: folder), path: path) else { return nil }
        return ClientProcess(pid: pid, name: name, path: path)
    }

    // MARK: Parsing

    /// The number of a socket in the link of a descriptor, `socket:[4711]`.
    static func inode(in link: some Collection<UInt8>) -> UInt32? {
        let front = "socket:[".utf8
        guard link.starts(with: front) else { return nil }
        let rest = link.dropFirst(front.count)
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")), rest.index(after: end) == rest.endIndex else {
            return nil
        }
        return number(rest[..<end])
    }

    /// The most recently assigned number, which ends the line of `loadavg`.
    static func lastNumber(in text: [UInt8]) -> Int32? {
        guard let last = text.split(separator: UInt8(ascii: " ")).last else { return nil }
        let digits = last.last == UInt8(ascii: "\n") ? last.dropLast() : last
        return number(digits).flatMap { (number: Int32) in number > 0 ? number : nil }
    }

    /// The process and the parent in the `status` of a thread, from the lines `State`, `Tgid` and `PPid`.
    static func family(in text: [UInt8]) -> ProcessFamily? {
        let lines = text.split(separator: UInt8(ascii: "\n"))
        func line(_ name: String) -> ArraySlice<UInt8>? {
            let front = Array("\(name):\t".utf8)
            return lines.first { $0.starts(with: front) }?.dropFirst(front.count)
        }
        guard let leader: Int32 = line("Tgid").flatMap(number),
            let parent: Int32 = line("PPid").flatMap(number)
        else {
            return nil
        }
        let state = line("State")?.first
        let hasEnded = state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")
        return ProcessFamily(leader: leader, parent: parent, hasEnded: hasEnded)
    }

    /// The file that a process runs, from the link to it.
    static func path(_ link: [UInt8]?) -> String? {
        guard let link, link.first == UInt8(ascii: "/") else { return nil }
        // The kernel adds this to the link if the file was replaced meanwhile, for example by an update.
        let removed = Array(" (deleted)".utf8)
        let isRemoved = link.count > removed.count && link.suffix(removed.count).elementsEqual(removed)
        return String(decoding: isRemoved ? link.dropLast(removed.count) : link[...], as: UTF8.self)
    }

    /// The name that a process gives itself.
    ///
    /// If the kernel has cut it, the name of the file replaces it.
    static func name(_ content: [UInt8]?, path: String?) -> String? {
        let file = path?.split(separator: "/").last.map(String.init)
        guard var bytes = content?[...] else { return file }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        let name = String(decoding: bytes, as: UTF8.self)
        if name.isEmpty { return file }
        return file.flatMap { bytes.count == cutName && $0.hasPrefix(name) ? $0 : nil } ?? name
    }

    private static func number<Number: FixedWidthInteger>(_ digits: some Collection<UInt8>) -> Number? {
        guard !digits.isEmpty, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            return nil
        }
        var number: Number = 0
        for digit in digits {
            let (product, isLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = product.addingReportingOverflow(Number(digit - UInt8(ascii: "0")))
            guard !isLarge, !isLarger else { return nil }
            number = sum
        }
        return number
    }

    // MARK: Reading

    /// Passes each entry of a folder to `use`, until `use` returns `false`.
    private static func eachEntry(
        of path: String,
        _ use: (_ directory: Int32, _ name: UnsafePointer<CChar>) -> Bool
    ) {
        guard let folder = opendir(path) else { return }
        defer { closedir(folder) }
        let directory = dirfd(folder)
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        while let entry = readdir(folder) {
            let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            guard use(directory, name) else { return }
        }
    }

    private static func content(_ name: String, in folder: Int32) -> [UInt8]? {
        content(openat(folder, name, O_RDONLY | O_CLOEXEC))
    }

    private static func content(_ name: String, in folder: String) -> [UInt8]? {
        content(open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC))
    }

    private static func content(_ file: Int32) -> [UInt8]? {
        guard file >= 0 else { return nil }
        defer { close(file) }
        return taken(contentLimit) { read(file, $0.baseAddress, $0.count) }
    }

    private static func link(_ name: String, in folder: Int32) -> [UInt8]? {
        taken(pathLimit) { readLink(name, in: folder, into: $0) }
    }

    private static func readLink(
        _ name: UnsafePointer<CChar>,
        in folder: Int32,
        into room: UnsafeMutableRawBufferPointer
    ) -> Int {
        guard let start = room.baseAddress else { return -1 }
        return readlinkat(folder, name, start.assumingMemoryBound(to: CChar.self), room.count)
    }

    private static func taken(_ limit: Int, _ take: (UnsafeMutableRawBufferPointer) -> Int) -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { room, length in
            count = take(UnsafeMutableRawBufferPointer(room))
            length = max(0, count)
        }
        return count >= 0 ? bytes : nil
    }
}
