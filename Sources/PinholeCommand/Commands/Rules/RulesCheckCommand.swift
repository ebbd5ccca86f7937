import ArgumentParser
import Foundation
import PinholeRules

/// `pinhole rules check`.
struct RulesCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find rules that contradict each other or can never act.",
        discussion: """
            EXAMPLES
              pinhole rules check
                  ./config.json
              pinhole rules check ci/config.json
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The file (./config.json).")
    var file: String?

    func run() throws {
        let path = file ?? options.config ?? ConfigurationFile.defaultPath
        let rules: RuleSet
        do throws(CommandFailure) {
            rules = try ConfigurationFile(named: path).load().rules
        } catch {
            throw CommandFailure(.negative, error.message, remedy: error.remedy)
        }
        let remarks = rules.remarks(pathKind: Self.kind)
        for remark in remarks { StandardOutput.write(Plain.printable("\(path): \(remark)")) }
        let count = rules.enabled.count == 1 ? "1 rule" : "\(rules.enabled.count) rules"
        guard remarks.isEmpty else {
            throw CommandFailure(
                .negative,
                remarks.count == 1 ? "1 remark on \(count)" : "\(remarks.count) remarks on \(count)",
                remedy: "change the rule, or switch it off with \"enabled\": false"
            )
        }
        StandardOutput.write("\(path): \(count), nothing to remark")
    }

    private static func kind(_ path: String) -> RuleSet.PathKind {
        guard FileManager.default.isReadableFile(atPath: path),
            // Links are followed.
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
            )
        else { return .missing }
        switch attributes[.type] as? FileAttributeType {
        case .typeDirectory: return .folder
        case .typeRegular:
            let size = attributes[.size] as? Int ?? 0
            return size > MockAnswer.fileLimit ? .large : .file
        default: return .special
        }
    }
}
