/// A fault in a file that does not prevent the import of an exchange.
enum ImportDoubt: CaseIterable {
    /// The date of the beginning is missing or invalid.
    case date
    /// A text that should be Base64 is not.
    case base64
    /// A URL has user information that no field carries.
    case userInformation
    /// A form has no boundary between its parts.
    case boundary
    /// A response has headers or content although its status says that no response came.
    case response
    /// A message of a WebSocket cannot be read.
    case message
    /// The size of a body is larger than any that a capture can have.
    case size

    /// Returns the text about how the import treated the fault, for `count` exchanges.
    func told(_ count: Int) -> String {
        switch self {
        case .date:
            count == 1 ? "1 exchange stands there as of now" : "\(count) exchanges stand there as of now"
        case .base64: count == 1 ? "1 body is kept as it stands" : "\(count) bodies are kept as they stand"
        case .userInformation: count == 1 ? "it was left out of 1 URL" : "it was left out of \(count) URLs"
        case .boundary: count == 1 ? "1 body is missing" : "\(count) bodies are missing"
        case .response: count == 1 ? "1 response is left out" : "\(count) responses are left out"
        case .message:
            count == 1 ? "messages of 1 exchange are left out" : "messages of \(count) exchanges are left out"
        case .size: count == 1 ? "1 size counts as unknown" : "\(count) sizes count as unknown"
        }
    }
}
