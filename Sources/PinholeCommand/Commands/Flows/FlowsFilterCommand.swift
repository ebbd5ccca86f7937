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
        let plan = FilterPlan.exchanges(filter)
        let (bySQL, oneByOne) = (plan.answered?.description, plan.rest?.description)
        if json {
            let object: JSONObject = [
                "canonical": filter.description, "bySQL": bySQL, "oneByOne": oneByOne, "sql": plan.sql,
                "remarks": filter.remarks,
            ]
            return StandardOutput.write(JSONLine.text(object))
        }
        guard !expression.isEmpty else {
            for line in FilterReference.lines(saved) { StandardOutput.show(line, hang: 12) }
            return
        }
        StandardOutput.show("canonical   \(filter)")
        StandardOutput.show("by SQL      \(bySQL ?? "nothing")")
        StandardOutput.show("one by one  \(oneByOne ?? "nothing")")
        FlagValue.sayRemarks(on: filter)
    }
}
