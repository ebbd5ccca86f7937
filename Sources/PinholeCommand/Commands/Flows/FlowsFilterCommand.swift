import ArgumentParser
import PinholeFilter
import PinholeFormats
import PinholeSession
import PinholeStore

/// `pinhole flows filter`.
struct FlowsFilterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter",
        abstract: "Explain a filter, or list the fields of filters.",
        discussion: """
            EXAMPLES
              pinhole flows filter
                  the fields, the flags and mitmproxy's operators
              pinhole flows filter --fields
                  the meaning of each field and flag
              pinhole flows filter 'status >= 400 ~b teapot'
                  the meaning of the filter, and the part that the capture's SQL answers
              pinhole flows filter --json '~u /api | grpc'
              pinhole flows filter '@errors & !@noise'
                  filters that config.json has under these names

            docs/FILTERS.md explains the language.
            """
    )

    @OptionGroup var configuration: ConfigurationOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Explain every field and flag.")
    var fields = false

    @Argument(help: .value("filter", "The filter."))
    var expression: [String] = []

    func validate() throws {
        guard !fields || expression.isEmpty && !json else {
            throw ValidationError("--fields explains all fields; leave the filter and --json out")
        }
        _ = try FlagValue.filter(expression, nil)
    }

    func run() throws {
        if fields {
            for line in FilterReference.explanations { StandardOutput.show(line) }
            return
        }
        // The configuration is read for a filter that calls saved ones, and for the list of saved filters.
        let isCalling = try expression.isEmpty || !FlagValue.filter(expression, nil).calls.isEmpty
        let saved = try isCalling ? configuration.load().filters : SavedFilters()
        let filter = try FlagValue.filter(expression, saved)
        if json { return StandardOutput.write(JSONLine.text(FilterExplanation(filter))) }
        guard !expression.isEmpty else {
            for line in FilterReference.lines(saved) { StandardOutput.show(line, hang: 12) }
            return
        }
        let explanation = FilterExplanation(filter)
        StandardOutput.show("canonical   \(explanation.canonical)")
        StandardOutput.show("by SQL      \(explanation.bySQL ?? "nothing")")
        StandardOutput.show("one by one  \(explanation.oneByOne ?? "nothing")")
        FlagValue.sayRemarks(on: filter)
    }
}

/// The explanation of a filter: its canonical text, and the part that SQL answers.
struct FilterExplanation: Encodable {
    let canonical: String
    let bySQL: String?
    let oneByOne: String?
    let sql: String
    let remarks: [String]

    /// Explains `filter`, as it is asked of exchanges.
    init(_ filter: Filter) {
        let plan = FilterPlan.exchanges(filter)
        canonical = filter.description
        bySQL = plan.answered?.description
        oneByOne = plan.rest?.description
        sql = plan.sql
        remarks = filter.remarks
    }
}
