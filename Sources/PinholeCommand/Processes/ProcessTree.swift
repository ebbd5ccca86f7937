import PinholeModel
import PinholeRuntime

/// The running processes of this machine at a moment, with their parents.
struct ProcessTree {
    /// A process with the number of its parent.
    struct Entry {
        let process: ClientProcess
        let parent: Int32
    }

    /// The processes by their numbers.
    let entries: [Int32: Entry]

    /// Creates a tree.
    init(_ entries: [Entry]) {
        self.entries = Dictionary(entries.map { ($0.process.pid, $0) }) { first, _ in first }
    }

    /// Reads the processes of this machine.
    static func current() -> ProcessTree {
        let table = ProcessTable()
        return ProcessTree(
            table.numbers().compactMap { number in
                guard let process = table.process(number), let family = table.family(of: number),
                    !family.hasEnded
                else { return nil }
                return Entry(process: process, parent: family.parent)
            }
        )
    }

    /// The child processes of a process, and their child processes, in the order of their numbers.
    func descendants(of pid: Int32) -> [Int32] {
        entries.keys.filter { ancestors(of: $0).contains(pid) }.sorted()
    }

    /// The parent of a process, its parent, and so on.
    func ancestors(of pid: Int32) -> [Int32] {
        var found: [Int32] = []
        var next = entries[pid]?.parent
        // A number can be assigned again while the table is read, so the way up might not end.
        while let pid = next, pid != 0, !found.contains(pid) {
            found.append(pid)
            next = entries[pid]?.parent
        }
        return found
    }
}
