import PinholeCrypto

/// Runs the given number of rounds of one case.
///
/// The script `Benchmarks/engines` runs the program twice to count instructions and allocations. The difference is the
/// cost of the rounds without the start.
///
///     engine-cost CASE ROUNDS
@main
struct EngineCost {
    static func main() throws {
        RecordMemory.keep()
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 2, let rounds = words.last.flatMap({ Int($0) }), rounds > 0,
            let engine = EngineCase.all.first(where: { $0.name == words.first })
        else {
            for engine in EngineCase.all { print("\(engine.name)\t\(engine.rounds)\t\(engine.title)") }
            return
        }
        try engine.run(rounds)
    }
}
