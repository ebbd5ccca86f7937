/// A report of the part of `pinhole attach` that runs as root, as a line.
enum AttachReport: Equatable {
    /// The changes that a killed `pinhole attach` had left were taken back.
    case undone(String)
    /// The program runs in its cgroup.
    case attached
    /// The processes are back in their own cgroup.
    case released
    /// No process is left in the cgroup.
    case empty

    /// Reads a line; `nil` if it is no report.
    init?(_ line: String) {
        let words = line.split(separator: " ")
        switch (words.first, words.dropFirst().first) {
        case ("undone", let name?): self = .undone(String(name))
        case ("attached", nil): self = .attached
        case ("released", nil): self = .released
        case ("empty", nil): self = .empty
        default: return nil
        }
    }

    /// The text of the report, without the end of the line.
    var line: String {
        switch self {
        case .undone(let name): "undone \(name)"
        case .attached: "attached"
        case .released: "released"
        case .empty: "empty"
        }
    }
}
