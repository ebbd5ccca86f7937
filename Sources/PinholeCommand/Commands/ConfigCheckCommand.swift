import ArgumentParser

/// `pinhole config check`.
struct ConfigCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration.",
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
        let path = file ?? options.config ?? ConfigurationFile.defaultPath
        do throws(CommandFailure) {
            _ = try ConfigurationFile(named: path).load()
        } catch {
            throw CommandFailure(.negative, error.message, remedy: error.remedy)
        }
        StandardOutput.write("\(path) is fine")
    }
}
