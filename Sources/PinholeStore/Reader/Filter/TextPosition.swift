/// The position of a text within another one.
enum TextPosition: String {
    case whole
    case anywhere
    case beginning
    case end

    /// Returns the pattern of LIKE for a text that contains the given pattern in this position.
    func pattern(_ pattern: String) -> String {
        switch self {
        case .whole: pattern
        case .anywhere: "%\(pattern)%"
        case .beginning: "\(pattern)%"
        case .end: "%\(pattern)"
        }
    }
}
