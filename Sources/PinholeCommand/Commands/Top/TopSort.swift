/// The orders of the list that have a key.
enum TopSort: String, CaseIterable, Sendable {
    case number = "id"
    case time
    case method
    case status
    case host
    case path
    case type
    case size
    case duration

    /// The key that chooses the order.
    var key: Character {
        switch self {
        case .number: "n"
        case .time: "t"
        case .method: "m"
        case .status: "s"
        case .host: "h"
        case .path: "p"
        case .type: "y"
        case .size: "z"
        case .duration: "d"
        }
    }

    /// The name of the order.
    var name: String { self == .number ? "number" : rawValue }
}
