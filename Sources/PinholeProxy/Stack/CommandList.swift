/// The commands of a machine that its stack carries out, in order.
///
/// A command that another command causes is carried out after it, so the list may grow meanwhile.
struct CommandList<Command> {
    var waiting: [Command] = []
    /// The index of the next command; `nil` while none is carried out.
    private var next: Int?

    /// Begins to carry the commands out; `false` if that goes on already.
    mutating func begin() -> Bool {
        guard next == nil else { return false }
        next = 0
        return true
    }

    /// Whether there is a next command; if not, the list is empty again.
    var hasNext: Bool {
        mutating get {
            if let next, next < waiting.count { return true }
            waiting.removeAll(keepingCapacity: true)
            next = nil
            return false
        }
    }

    /// Swaps the next command into `command`: a copy would retain every reference in it a second time.
    mutating func take(into command: inout Command) {
        guard let index = next else { return }
        swap(&command, &waiting[index])
        next = index + 1
    }
}
