import ArgumentParser
import PinholeFilter
import PinholeModel
import PinholeSession
import PinholeStore

/// An exchange or a flow as a user names it: a number, `last`, or a filter, whose newest match is meant.
struct ChosenEntry {
    private let words: [String]

    /// Reads the words of a command line.
    ///
    /// - Throws: `ValidationError` that shows the place of a mistake in a filter.
    init(_ words: [String]) throws {
        self.words = words == ["last"] ? [] : words
        if number == nil { _ = try FlagValue.filter(self.words, nil) }
    }

    /// Reads one word that is a number or `last`, where a filter would be a surprise.
    ///
    /// - Throws: `ValidationError` for another word.
    init(only word: String) throws {
        guard Self.isOnly(word) else {
            throw ValidationError("expected the number of an exchange or last, found “\(word)”")
        }
        try self.init([word])
    }

    /// Whether a word is a number or `last`.
    static func isOnly(_ word: String) -> Bool { word == "last" || Int64(word) != nil }

    /// The number; `nil` for a filter.
    var number: Int64? { words.count == 1 ? Int64(words[0]) : nil }

    /// Returns the number of the exchange, or of the flow without one.
    ///
    /// - Throws: ``CommandFailure`` if the filter matches nothing.
    func id(in reader: CaptureReader, _ source: CaptureSource) throws -> Int64 {
        if let number { return number }
        let condition = try condition(source)
        // The list shows the exchanges of a flow instead of the flow.
        guard let newest = try CaptureListing(reader: reader, condition: condition).newest(100).last else {
            throw CommandFailure.nothingFound(by: condition, in: reader)
        }
        return newest.number
    }

    /// Returns the exchange.
    ///
    /// - Parameters:
    ///   - reader: The capture.
    ///   - source: The source of the configuration with the saved filters.
    ///   - other: A condition that a match of the filter has to meet, too.
    /// - Returns: The record of the exchange.
    /// - Throws: ``CommandFailure`` if there is none.
    func exchange(
        in reader: CaptureReader,
        _ source: CaptureSource,
        _ other: Filter = .everything
    ) throws -> ExchangeRecord {
        guard let record = try reader.exchange(try number(in: reader, source, other)) else {
            throw CommandFailure.noExchange(words.joined(separator: " "))
        }
        return record
    }

    private func number(
        in reader: CaptureReader,
        _ source: CaptureSource,
        _ other: Filter
    ) throws -> ExchangeID {
        if let number { return ExchangeID(rawValue: number) }
        let condition = try condition(source).and(other)
        // The records of a list are without their heads.
        guard let newest = try reader.exchanges(ExchangeFilter(condition), limit: 1).last else {
            throw CommandFailure.nothingFound(by: condition, in: reader)
        }
        return newest.id
    }

    private func condition(_ source: CaptureSource) throws -> Filter {
        try FlagValue.filterInUse(words, try source.configuration.load().filters)
    }
}
