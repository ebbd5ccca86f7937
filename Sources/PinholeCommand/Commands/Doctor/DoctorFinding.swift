import PinholeSession

/// A finding of the doctor about one subject.
struct DoctorFinding: Encodable, Equatable {
    /// The result of a check.
    enum Result: String, Encodable, Sendable {
        case right
        case note
        case wrong
    }

    /// The subject, such as a port.
    let subject: String
    let result: Result
    /// The finding, in a sentence.
    let detail: String
    /// The remedy or a hint; `nil` if there is nothing to do.
    let remedy: String?

    init(_ subject: String, _ result: Result, _ detail: String, remedy: String? = nil) {
        self.subject = subject
        self.result = result
        self.detail = detail
        self.remedy = remedy
    }

    /// Creates the finding about a trust store.
    ///
    /// A store that does not know the CA is no fault.
    init(_ finding: TrustStoreSurvey.Finding) {
        switch finding.knowledge {
        case .known:
            self.init("trust store", .right, "\(finding.store) trusts the CA")
        case .notKnown:
            self.init(
                "trust store",
                .note,
                "\(finding.store) does not trust the CA",
                remedy: "\(finding.addition)\nor for one program: pinhole run -- CMD"
            )
        case .unknown(let reason):
            self.init("trust store", .note, "\(finding.store) was not checked: \(reason)")
        }
    }

    /// Returns the finding as text for users; the remedy is not wrapped, since users copy it.
    ///
    /// - Parameters:
    ///   - style: Colours or none.
    ///   - width: The columns of the terminal; `nil` to wrap nothing.
    /// - Returns: A line for the finding, and lines for the remedy.
    func text(_ style: Style, width: Int?) -> String {
        let mark =
            switch result {
            case .right: style.paint("ok   ", .green)
            case .note: style.paint("note ", .blue)
            case .wrong: style.paint("WRONG", .red)
            }
        let remedy =
            remedy.map { "\n         \($0.split(separator: "\n").joined(separator: "\n         "))" } ?? ""
        return TextLayout.hanging("\(mark) \(subject): \(Plain.printable(detail))", width, hang: 6) + remedy
    }
}
