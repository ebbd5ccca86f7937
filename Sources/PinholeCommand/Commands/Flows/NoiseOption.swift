import ArgumentParser
import PinholeFormats
import PinholeStore

/// `--noise`: what changes in every run, learned from two runs of the same.
struct NoiseOption: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: .value("capture capture", "Two captures of the same; what differs between them is left out.")
    )
    var noise: [String] = []

    func validate() throws {
        guard noise.isEmpty || noise.count == 2 else {
            throw ValidationError("--noise: expected two captures, found \(noise.count)")
        }
    }

    /// Returns a comparison that knows the noise.
    ///
    /// - Parameter filter: The filter that selects exchanges.
    /// - Returns: The comparison.
    /// - Throws: ``CommandFailure`` or ``CaptureFailure`` if a capture cannot be read.
    func comparison(_ filter: ExchangeFilter = ExchangeFilter()) throws -> CaptureComparison {
        var comparison = CaptureComparison()
        guard noise.count == 2 else { return comparison }
        let recordings = try noise.map { file in
            try CaptureComparison.Recording(CaptureSource.open(file), filter)
        }
        try comparison.learn(recordings[0], recordings[1])
        return comparison
    }
}
