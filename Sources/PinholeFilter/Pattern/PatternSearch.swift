import PinholeModel

/// Searches texts for a pattern.
///
/// The set of the machine's current steps is one state of a larger machine, whose transitions are remembered. Once they
/// are known, each byte costs one look-up. The memory for states is bounded. When it is full, the states are forgotten
/// and computed again, at the cost of the pattern's length for each byte.
struct PatternSearch {
    /// The context before a place, as far as the pattern's assertions need it.
    private struct Before: OptionSet, Hashable {
        let rawValue: UInt16
        static let textStart = Before(rawValue: 1)
        static let word = Before(rawValue: 2)
        static let newline = Before(rawValue: 4)
    }

    private struct State: Hashable {
        /// The steps that the last byte led to, in order.
        var steps: [UInt16]
        var before: Before
    }

    private static let unknown: Int32 = -1
    private static let found: Int32 = -2
    private static let lost: Int32 = -3
    /// The largest number of remembered states; with ``stepLimit`` they take at most a megabyte.
    private static let stateLimit = 512
    private static let stepLimit = 1 << 16

    private let program: PatternProgram
    /// Searches for a pattern that is a plain sequence; `nil` for any other.
    private let sequence: SequenceSearch?
    /// The class of each byte; bytes that no set distinguishes have the same class.
    private let classes: [UInt8]
    /// A byte of each class, as its example.
    private let samples: [UInt8]
    private let asked: Before
    private let asksForFinalLine: Bool
    private var states: [State] = []
    private var rememberedSteps = 0
    private var numbers: [State: Int32] = [:]
    private var transitions: [Int32] = []
    private var isReached: [Bool]

    init(_ pattern: Pattern) {
        program = pattern.program
        sequence = SequenceSearch(pattern.program)
        var asked: Before = []
        let places = program.assertions
        if places.contains(.textStart) || places.contains(.lineStart) { asked.insert(.textStart) }
        if places.contains(.wordBoundary) || places.contains(.insideWord) { asked.insert(.word) }
        if places.contains(.lineStart) || places.contains(.lineEnd) { asked.insert(.newline) }
        self.asked = asked
        asksForFinalLine = places.contains(.finalLineEnd)
        var sets = program.sets
        if asked.contains(.word) { sets.append(.word) }
        if asked.contains(.newline) { sets.append(.newline) }
        (classes, samples) = Self.classes(sets)
        isReached = Array(repeating: false, count: program.steps.count)
    }

    /// Whether the pattern matches somewhere in `text`.
    mutating func isFound(in text: [UInt8]) -> Bool {
        if let sequence { return sequence.isFound(in: text) }
        var state = number(of: State(steps: [], before: asked.intersection(.textStart)))
        let endsLine = asksForFinalLine && text.last == 0x0a
        for byte in endsLine ? text.dropLast() : text[...] {
            let kind = Int(classes[Int(byte)])
            var next = transitions[Int(state) * width + kind]
            if next == Self.unknown { next = step(&state, kind) }
            if next < 0 { return next == Self.found }
            state = next
        }
        for kind in endsLine ? [finalNewline, end] : [end] {
            var next = transitions[Int(state) * width + kind]
            if next == Self.unknown { next = step(&state, kind) }
            if next < 0 { return next == Self.found }
            state = next
        }
        return false
    }

    /// The columns of transitions after those of the byte classes: a newline as the last byte, and the end.
    private var finalNewline: Int { samples.count }
    private var end: Int { samples.count + 1 }
    private var width: Int { samples.count + 2 }

    private static func classes(_ sets: [ByteSet]) -> (classes: [UInt8], samples: [UInt8]) {
        var known: [[Bool]: UInt8] = [:]
        var classes: [UInt8] = []
        var samples: [UInt8] = []
        for byte in UInt8.min...UInt8.max {
            let key = sets.map { $0.contains(byte) }
            if known[key] == nil {
                known[key] = UInt8(samples.count)
                samples.append(byte)
            }
            classes.append(known[key] ?? 0)
        }
        return (classes, samples)
    }

    private mutating func number(of state: State) -> Int32 {
        if let number = numbers[state] { return number }
        let number = Int32(states.count)
        numbers[state] = number
        states.append(state)
        rememberedSteps += state.steps.count
        transitions.append(contentsOf: repeatElement(Self.unknown, count: width))
        return number
    }

    /// Computes and remembers the transition from `state` by a byte of the class `kind`, or by the end of the text.
    private mutating func step(_ state: inout Int32, _ kind: Int) -> Int32 {
        let from = states[Int(state)]
        let byte = kind < samples.count ? samples[kind] : kind == finalNewline ? 0x0a : nil
        guard let next = target(from, byte, isFinal: kind >= finalNewline) else {
            return remember(Self.found, state, kind)
        }
        guard byte != nil else { return remember(Self.lost, state, kind) }
        let isFull = states.count >= Self.stateLimit || rememberedSteps >= Self.stepLimit
        if isFull, numbers[next] == nil {
            rememberedSteps = 0
            states.removeAll(keepingCapacity: true)
            numbers.removeAll(keepingCapacity: true)
            transitions.removeAll(keepingCapacity: true)
            state = number(of: from)
        }
        return remember(number(of: next), state, kind)
    }

    private mutating func remember(_ next: Int32, _ state: Int32, _ kind: Int) -> Int32 {
        transitions[Int(state) * width + kind] = next
        return next
    }

    /// Returns the state after `byte`; `nil` if the pattern has matched before that byte.
    private mutating func target(_ from: State, _ byte: UInt8?, isFinal: Bool) -> State? {
        var open = [0] + from.steps.map(Int.init)
        var reached: [Int] = []
        var next: [UInt16] = []
        var isFound = false
        while let place = open.popLast() {
            guard !isReached[place] else { continue }
            isReached[place] = true
            reached.append(place)
            switch program.steps[place] {
            case .byte(let set):
                if let byte, program.sets[set].contains(byte) { next.append(UInt16(place + 1)) }
            case .split(let here, let there):
                open.append(there)
                open.append(here)
            case .jump(let there): open.append(there)
            case .save: open.append(place + 1)
            case .assert(let assertion):
                if holds(assertion, from.before, byte, isFinal: isFinal) { open.append(place + 1) }
            case .found:
                isFound = true
                open.removeAll()
            }
        }
        for place in reached { isReached[place] = false }
        guard !isFound else { return nil }
        var before: Before = []
        if let byte {
            if ByteSet.word.contains(byte) { before.insert(.word) }
            if byte == 0x0a { before.insert(.newline) }
        }
        return State(steps: next.sorted(), before: before.intersection(asked))
    }

    private func holds(
        _ assertion: PatternNode.Assertion,
        _ before: Before,
        _ next: UInt8?,
        isFinal: Bool
    ) -> Bool {
        let isBoundary = before.contains(.word) != (next.map(ByteSet.word.contains) ?? false)
        return switch assertion {
        case .textStart: before.contains(.textStart)
        case .textEnd: next == nil
        case .finalLineEnd: isFinal
        case .lineStart: before.contains(.textStart) || before.contains(.newline)
        case .lineEnd: next == nil || next == 0x0a
        case .wordBoundary: isBoundary
        case .insideWord: !isBoundary
        }
    }
}

extension SequenceSearch {
    /// Creates the search for a program that is such a sequence; `nil` for any other.
    init?(_ program: PatternProgram) {
        var sets: [ByteSet] = []
        for step in program.steps {
            switch step {
            case .byte(let set): sets.append(program.sets[set])
            case .save, .found: continue
            case .split, .jump, .assert: return nil
            }
        }
        self.init(sets)
    }
}
