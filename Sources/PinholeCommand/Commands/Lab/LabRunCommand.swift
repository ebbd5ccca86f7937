import ArgumentParser
import Glibc
import PinholeLab

/// `pinhole lab run`, which is what `pinhole lab` does.
struct LabRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run policies against scenarios and print the matrix (the default)."
    )

    @OptionGroup var selection: LabScenarioOptions

    @Option(
        help: ArgumentHelp("How often each cell is run; runs that differ are inconclusive.", valueName: "n")
    )
    var `repeat` = 1

    @Option(help: ArgumentHelp("How many scenarios run side by side.", valueName: "n"))
    var jobs = 4

    func validate() throws {
        guard (1...1000).contains(`repeat`) else {
            throw ValidationError("--repeat: expected 1 to 1000, found \(`repeat`)")
        }
        guard (1...64).contains(jobs) else {
            throw ValidationError("--jobs: expected 1 to 64, found \(jobs)")
        }
    }

    func run() async throws {
        let scenarios = try selection.scenarios()
        let policies = LabPolicy.modes
        let progress = LabProgress(total: scenarios.count * policies.count)
        var options = PinningLab.Options()
        options.repetitions = `repeat`
        options.jobs = jobs
        options.progress = { progress.tell($0) }
        let report: LabReport
        do throws(LabFailure) {
            report = try await PinningLab().run(policies, against: scenarios, options)
        } catch {
            throw CommandFailure(.couldNotRun, error.description)
        }
        progress.end()
        show(report)
        if !report.inconclusive.isEmpty { throw ExitCode(ExitStatus.couldNotRun.rawValue) }
    }

    private func show(_ report: LabReport) {
        let style = Style.forDescriptor(STDOUT_FILENO)
        let width = Terminal.width(STDOUT_FILENO) ?? 100
        for line in MatrixTable(report, style: style, width: width).lines { StandardOutput.write(line) }
        StandardOutput.write("")
        StandardOutput.write(MatrixTable.legend(style))
        for line in MatrixFindings(report, style: style, width: min(width, 110)).lines {
            StandardOutput.write(line)
        }
    }
}
