public import PinholeLab

extension JudgedRun {
    /// The report as JUnit XML; see ``LabReport/junit``.
    package var junit: String { JUnitReport(run: self).text }

    /// The report as Markdown; see ``LabReport/markdown``.
    package var markdown: String { MarkdownReport(run: self).text }

    /// The report as an HTML page; see ``LabReport/html``.
    package var html: String { HTMLReport(self).text }

    /// Makes the report as SARIF; see ``LabReport/sarif``.
    ///
    /// - Parameter directory: The root of the repository: files below it are named from there.
    /// - Returns: The JSON.
    package func sarif(below directory: String = "") -> String {
        SARIFReport(run: self).log.text(below: directory)
    }
}

extension LabReport {
    /// The report as one JSON document, from which all other reports can be made.
    public var json: String { LabDocument(self).json }

    /// The report as JUnit XML: a suite for each policy, a case for each scenario.
    ///
    /// If there are policies of the user's own, the report contains only these.
    public var junit: String { JudgedRun(LabDocument(self)).junit }

    /// The report as GitHub-flavoured Markdown that fits into a comment.
    public var markdown: String { JudgedRun(LabDocument(self)).markdown }

    /// The report as one HTML page that needs no other file and no network.
    public var html: String { JudgedRun(LabDocument(self)).html }

    /// The report as SARIF 2.1.0: a rule for each scenario, a result for each miss and false alarm.
    ///
    /// If there are policies of the user's own, the report contains only these.
    public var sarif: String { JudgedRun(LabDocument(self)).sarif() }
}
