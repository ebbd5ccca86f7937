/// Where in a text another one is.
enum TextPosition: String {
    case whole
    case anywhere
    case beginning
    case end

    /// The pattern of LIKE for a text, from that of the other one.
    func pattern(_ pattern: String) -> String {
        switch self {
        case .whole: pattern
        case .anywhere: "%\(pattern)%"
        case .beginning: "\(pattern)%"
        case .end: "%\(pattern)"
        }
    }
}
