/// The facts in the columns of the list, each of which can be its order.
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

    /// The title of the column.
    var title: String { rawValue.uppercased() }

    /// Whether the column stands at the right.
    var isNumber: Bool { self == .number || self == .size || self == .duration }

    /// The name of the order.
    var name: String { self == .number ? "number" : rawValue }
}
