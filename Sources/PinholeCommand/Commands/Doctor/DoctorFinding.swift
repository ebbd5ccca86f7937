/// What the doctor found out about one thing.
struct DoctorFinding: Encodable, Equatable {
    /// Whether it is as it should be.
    enum Result: String, Encodable, Sendable {
        case right
        case note
        case wrong
    }

    /// What was looked at.
    let subject: String
    let result: Result
    /// What was found.
    let detail: String
    /// How to mend it, or what else to do; `nil` for nothing.
    let remedy: String?

    /// Creates a finding.
    init(_ subject: String, _ result: Result, _ detail: String, remedy: String? = nil) {
        self.subject = subject
        self.result = result
        self.detail = detail
        self.remedy = remedy
    }

    /// What a trust store knows.
    ///
    /// That one does not know the CA is no fault.
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
            self.init("trust store", .note, "\(finding.store) was not looked at: \(reason)")
        }
    }

    /// For people.
    func text(_ style: Style) -> String {
        let mark =
            switch result {
            case .right: style.paint("ok   ", .green)
            case .note: style.paint("note ", .blue)
            case .wrong: style.paint("WRONG", .red)
            }
        let remedy =
            remedy.map { "\n         \($0.split(separator: "\n").joined(separator: "\n         "))" } ?? ""
        return "\(mark) \(subject): \(Plain.printable(detail))\(remedy)"
    }
}
