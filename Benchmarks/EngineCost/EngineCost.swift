import PinholeCrypto

/// Runs one case so many times, and nothing else: what counts instructions and allocations runs it twice, and
/// the difference is the cost of the rounds without that of the start.
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
