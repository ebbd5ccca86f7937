import ArgumentParser
import PinholeRules
import PinholeSession

/// `pinhole config check`.
struct ConfigCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration, and the files that it names.",
        discussion: """
            EXAMPLES
              pinhole config check
                  ./config.json
              pinhole config check ci/config.json
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The file (./config.json).")
    var file: String?

    func run() throws {
        let (path, configuration) = try options.checked(file) { (loaded) throws(CommandFailure) in
            try loaded.checkFiles()
        }
        if let remark = configuration.rules.remarksOnFiles(RuleSet.PathKind.init(ofFile:)).first {
            throw CommandFailure(.negative, "\(path): the rule “\(remark.rule)”: \(remark.text)")
        }
        for remark in configuration.remarksOnFilters {
            StandardError.write("pinhole: \(path): \(Plain.printable(remark))")
        }
        StandardOutput.write("\(path) is fine")
        if case .environment(let environment) = configuration.upstream.proxy {
            StandardOutput.write("upstream.proxy, as the environment says:")
            for line in environment.lines { StandardOutput.show("  \(Plain.printable(line))") }
        }
    }
}
