import PinholeModel

/// A regular expression compiled to the steps of a machine that follows all alternatives at the same time.
struct PatternProgram: Sendable {
    /// An instruction of the machine.
    enum Step: Sendable {
        /// Takes one byte of the set with this number.
        case byte(Int)
        /// Continues at both steps; the first one is preferred.
        case split(Int, Int)
        /// Continues at the given step.
        case jump(Int)
        /// Continues at the next step if the assertion holds.
        case assert(PatternNode.Assertion)
        /// Remembers the current place under this number, as the start or the end of a group.
        case save(Int)
        /// Ends the match.
        case found
    }

    /// The largest number of steps; each byte of a text may touch all of them.
    static let stepLimit = 2000
    /// The largest number of visited nodes; a repetition of an empty node has no steps but takes time.
    private static let workLimit = 20_000

    private(set) var steps: [Step] = []
    private(set) var sets: [ByteSet] = []
    private(set) var assertions: Set<PatternNode.Assertion> = []
    private var numbers: [ByteSet: Int] = [:]
    private var work = 0

    /// Compiles `node`; `nil` if the program would be too long.
    init?(_ node: PatternNode) {
        guard emit(node) else { return nil }
        steps.append(.found)
    }

    private mutating func emit(_ node: PatternNode) -> Bool {
        work += 1
        guard work <= Self.workLimit, steps.count < Self.stepLimit else { return false }
        switch node {
        case .empty: return true
        case .byte(let set):
            let number = numbers[set, default: sets.count]
            if number == sets.count {
                sets.append(set)
                numbers[set] = number
            }
            steps.append(.byte(number))
            return true
        case .sequence(let parts): return parts.allSatisfy { emit($0) }
        case .choice(let branches): return emit(choice: branches[...])
        case .repeated(let part, let least, let most, let isLazy):
            return emit(part, least, most, isLazy: isLazy)
        case .group(let part, let number):
            steps.append(.save(2 * number))
            guard emit(part) else { return false }
            steps.append(.save(2 * number + 1))
            return true
        case .assertion(let assertion):
            assertions.insert(assertion)
            steps.append(.assert(assertion))
            return true
        }
    }

    private mutating func emit(choice branches: ArraySlice<PatternNode>) -> Bool {
        var ends: [Int] = []
        for branch in branches.dropLast() {
            let split = steps.count
            steps.append(.split(split + 1, 0))
            guard emit(branch) else { return false }
            ends.append(steps.count)
            steps.append(.jump(0))
            steps[split] = .split(split + 1, steps.count)
        }
        guard branches.last.map({ emit($0) }) ?? true else { return false }
        for end in ends { steps[end] = .jump(steps.count) }
        return true
    }

    private mutating func emit(_ part: PatternNode, _ least: Int, _ most: Int?, isLazy: Bool) -> Bool {
        // The order of the two ways decides which match is preferred, not whether there is one.
        let split = { (inside: Int, outside: Int) -> Step in
            isLazy ? .split(outside, inside) : .split(inside, outside)
        }
        for _ in 0..<least {
            guard emit(part) else { return false }
        }
        guard let most else {
            let start = steps.count
            steps.append(split(start + 1, 0))
            guard emit(part) else { return false }
            steps.append(.jump(start))
            steps[start] = split(start + 1, steps.count)
            return true
        }
        var splits: [Int] = []
        for _ in least..<max(least, most) {
            splits.append(steps.count)
            steps.append(split(steps.count + 1, 0))
            guard emit(part) else { return false }
        }
        for start in splits { steps[start] = split(start + 1, steps.count) }
        return true
    }
}
