import PinholeModel
import PinholeSession

/// The process that `pinhole attach` attaches to, and its child processes.
struct AttachTarget: Equatable {
    /// The process with its name and its file.
    let process: ClientProcess
    /// The numbers of its child processes, and of theirs.
    private(set) var children: [Int32]
    /// The name of the user whose process it is; `nil` if it is the caller's.
    private let owner: String?

    /// The largest number of processes that a refusal lists.
    private static let listed = 20

    /// Finds a process.
    ///
    /// Several processes with the name are fine if all others are child processes of one, as with browsers.
    ///
    /// - Parameters:
    ///   - text: The number, the name or the file of the process.
    ///   - tree: The processes.
    ///   - own: The number of this process, which must not be attached to.
    ///   - users: The users of the processes.
    /// - Throws: ``CommandFailure`` if there is no such process, or if the text fits several.
    init(
        _ text: String,
        in tree: ProcessTree,
        own: Int32,
        _ users: ProcessUsers
    ) throws(CommandFailure) {
        let found = Self.matches(text, in: tree, own: own, users)
        let pids = Set(found.map(\.pid))
        let first = found.filter { pids.isDisjoint(with: tree.ancestors(of: $0.pid)) }
        guard let process = first.first else {
            throw CommandFailure(
                "no process here has the number or the name \(Plain.printable(text))",
                remedy:
                    "ps -e shows the processes; a script has the name of its interpreter, and others' need the number"
            )
        }
        guard first.count == 1 else {
            let lines = first.prefix(Self.listed).map {
                "\n  \($0.pid)  \(Plain.printable($0.path ?? $0.name))"
            }
            let rest = first.count - lines.count
            throw CommandFailure(
                "\(first.count) processes are called \(Plain.printable(text)):\(lines.joined())"
                    + (rest > 0 ? "\n  and \(rest) more" : ""),
                remedy: "name one by its number: pinhole attach \(process.pid)"
            )
        }
        guard process.pid != own, !tree.ancestors(of: own).contains(process.pid) else {
            throw CommandFailure(
                .usage,
                "Pinhole itself runs in the process \(process.pid) or in a child process of it, and cannot attach to itself",
                remedy: "start pinhole attach in another terminal"
            )
        }
        self.process = process
        owner = users.foreignOwner(of: process.pid)
        children = tree.descendants(of: process.pid)
    }

    /// Any program can take any name, so a name finds no process of another user.
    private static func matches(
        _ text: String,
        in tree: ProcessTree,
        own: Int32,
        _ users: ProcessUsers
    ) -> [ClientProcess] {
        if let pid = Int32(text) { return tree.entries[pid].map { [$0.process] } ?? [] }
        return tree.entries.values.map(\.process).filter { process in
            guard process.pid != own else { return false }
            let file = process.path?.split(separator: "/").last.map(String.init)
            return [process.name, process.path, file].contains(text) && users.mayName(process.pid)
        }.sorted { $0.pid < $1.pid }
    }

    /// Leaves out child processes that run in another cgroup, as those of a service manager do.
    mutating func keepChildren(in group: ControlGroup) {
        children.removeAll { ControlGroup(of: $0)?.origin != group }
    }

    /// The process and its child processes, in words.
    var description: String {
        let user = owner.map { " of the user \(Plain.printable($0))" } ?? ""
        let own = "\(Plain.printable(process.name)) (process \(process.pid)\(user))"
        guard !children.isEmpty else { return own }
        return "\(own) with \(Plain.count(children.count, "child process", "child processes"))"
    }
}
