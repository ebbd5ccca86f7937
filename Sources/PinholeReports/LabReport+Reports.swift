public import PinholeLab

extension LabReport {
    /// The report as one JSON document, from which all other reports can be made.
    public var json: String { LabDocument(self).json }

    /// The report as JUnit XML: a suite for each policy, a case for each scenario.
    ///
    /// If there are policies of the user's own, the report contains only these.
    public var junit: String { JUnitReport(LabDocument(self)).text }

    /// The report as GitHub-flavoured Markdown that fits into a comment.
    public var markdown: String { MarkdownReport(LabDocument(self)).text }

    /// The report as one HTML page that needs no other file and no network.
    public var html: String { HTMLReport(LabDocument(self)).text }

    /// The report as SARIF 2.1.0: a rule for each scenario, a result for each miss and false alarm.
    ///
    /// If there are policies of the user's own, the report contains only these.
    public var sarif: String { SARIFReport(LabDocument(self)).text }
}

extension LabDocument {
    /// Makes the report as JUnit XML; see ``LabReport/junit``.
    ///
    /// - Parameters:
    ///   - expectation: The recorded expectation; a case that matches it passes.
    ///   - profile: The grades that count for cells without an expectation.
    ///   - isPart: Whether it is one part of a divided run; then the other parts are no loss.
    /// - Returns: The XML.
    package func junit(
        expecting expectation: Expectation? = nil,
        profile: LabProfile = .baseline,
        isPart: Bool = false
    ) -> String {
        JUnitReport(self, expectation: expectation, profile: profile, isPart: isPart).text
    }

    /// Makes the report as Markdown; see ``LabReport/markdown``.
    ///
    /// - Parameters:
    ///   - expectation: The recorded expectation; cells that differ from it stand at the top.
    ///   - profile: The grades that count for cells without an expectation.
    /// - Returns: The Markdown.
    package func markdown(
        expecting expectation: Expectation? = nil,
        profile: LabProfile = .baseline
    ) -> String {
        MarkdownReport(self, expectation: expectation, profile: profile).text
    }

    /// Makes the report as an HTML page; see ``LabReport/html``.
    ///
    /// - Parameters:
    ///   - expectation: The recorded expectation; cells that differ from it stand at the top.
    ///   - profile: The grades that count for cells without an expectation.
    /// - Returns: The page.
    package func html(expecting expectation: Expectation? = nil, profile: LabProfile = .baseline) -> String {
        HTMLReport(self, expectation: expectation, profile: profile).text
    }

    /// Makes the report as SARIF; see ``LabReport/sarif``.
    ///
    /// - Parameters:
    ///   - directory: The root of the repository: files below it are named from there.
    ///   - expectation: The recorded expectation; a cell that matches it is no result.
    ///   - profile: The grades that count for cells without an expectation.
    ///   - isPart: Whether it is one part of a divided run; then the other parts are no loss.
    /// - Returns: The JSON.
    package func sarif(
        below directory: String,
        expecting expectation: Expectation? = nil,
        profile: LabProfile = .baseline,
        isPart: Bool = false
    ) -> String {
        SARIFReport(self, below: directory, expectation: expectation, profile: profile, isPart: isPart).text
    }
}
