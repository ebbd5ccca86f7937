import PinholeModel

/// The status of a response in a file of another program.
enum ImportedStatus: Equatable {
    /// A status of HTTP.
    case code(Int)
    /// 0 or nothing. Browsers write 0 if no response came, and Firefox also for responses that it hides from the page.
    case missing
    /// A negative number, which says that no response came.
    case noResponse

    /// Reads a status; throws if it is no whole number of 100 to 999, and none of the forms above.
    init(_ fact: JSONValue?) throws(ImportRefusal) {
        guard let fact else {
            self = .missing
            return
        }
        if let number = fact.number, number < 0 {
            self = .noResponse
        } else if let status = fact.number.flatMap({ Int(exactly: $0) }),
            status == 0 || (100...999).contains(status)
        {
            self = status == 0 ? .missing : .code(status)
        } else {
            throw ImportRefusal(
                "response.status",
                expected: "a whole number of 100 to 999, 0, or a negative number",
                found: fact
            )
        }
    }
}
