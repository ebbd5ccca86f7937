/// Something in a file that is not what it should be, and does not keep an exchange from being imported.
enum ImportDoubt: CaseIterable {
    /// There is no date of its beginning.
    case date
    /// What should be Base64 is none.
    case base64
    /// A URL has user information, which no field carries.
    case userInformation
    /// A form has no boundary between its parts.
    case boundary

    /// What was done, so many times.
    func told(_ count: Int) -> String {
        switch self {
        case .date:
            count == 1 ? "1 exchange stands there as of now" : "\(count) exchanges stand there as of now"
        case .base64: count == 1 ? "1 body is kept as it stands" : "\(count) bodies are kept as they stand"
        case .userInformation: count == 1 ? "it was left out of 1 URL" : "it was left out of \(count) URLs"
        case .boundary: count == 1 ? "1 body is missing" : "\(count) bodies are missing"
        }
    }
}
