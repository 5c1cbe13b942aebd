// Large groups as the broker's coordinator has them, for its assignors. A group is made of numbers
// and goes from one assignment to the next in here, so that Python hands over no million objects.
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.PartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.assignor.RangeAssignor;
import org.apache.kafka.coordinator.group.assignor.SimpleAssignor;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.GroupSpecImpl;
import org.apache.kafka.coordinator.group.modern.MemberSubscriptionAndAssignmentImpl;
import org.apache.kafka.coordinator.group.streams.assignor.AssignmentMemberSpec;
import org.apache.kafka.coordinator.group.streams.assignor.StickyTaskAssignor;
import org.apache.kafka.coordinator.group.streams.assignor.TopologyDescriber;

public final class CoordinatorGroups {
    private CoordinatorGroups() { }

    private static long times(long owner, Set<Integer> partitions) {
        long sum = 0;
        for (int partition : partitions) {
            sum += owner * (partition + 1);
        }
        return sum;
    }

    private static long owner(String member, Object of) {
        return 31L * member.hashCode() + of.hashCode();
    }

    public static final class Modern {
        private static final Map<String, PartitionAssignor> ASSIGNORS = Map.of(
            "uniform", new UniformAssignor(),
            "range", new RangeAssignor(),
            "simple", new SimpleAssignor());

        private final Map<Uuid, Integer> counts = new HashMap<>();
        private final Map<String, Set<Uuid>> wanted = new HashMap<>();
        private final PartitionAssignor assignor;
        private final SubscriptionType kind;
        private Map<String, Map<Uuid, Set<Integer>>> targets = new HashMap<>();
        private Map<String, Map<Uuid, Set<Integer>>> next;
        private Map<String, MemberSubscriptionAndAssignmentImpl> specs;
        private Map<Uuid, Map<Integer, String>> owners;
        private GroupSpecImpl spec;

        public Modern(String assignor, boolean alike, long[] ids, int[] sizes, String[] members,
                int[][] topics) {
            this.assignor = ASSIGNORS.get(assignor);
            kind = alike ? SubscriptionType.HOMOGENEOUS : SubscriptionType.HETEROGENEOUS;
            for (int i = 0; i < sizes.length; i++) {
                counts.put(new Uuid(ids[2 * i], ids[2 * i + 1]), sizes[i]);
            }
            for (int i = 0; i < members.length; i++) {
                Set<Uuid> names = new HashSet<>();
                for (int topic : topics[i]) {
                    names.add(new Uuid(ids[2 * topic], ids[2 * topic + 1]));
                }
                wanted.put(members[i], names);
            }
        }

        // Make what the assignor is given: these members, with the targets of the last step.
        public void prepare(String[] members) {
            specs = new HashMap<>();
            for (String member : members) {
                specs.put(member, new MemberSubscriptionAndAssignmentImpl(
                    Optional.empty(), Optional.empty(), wanted.get(member),
                    new Assignment(targets.getOrDefault(member, Map.of()))));
            }
            invert();
            spec = new GroupSpecImpl(specs, kind, owners);
        }

        // Make the map of owners, which a coordinator has at hand: each record changes it.
        public void invert() {
            owners = new HashMap<>();
            specs.forEach((member, of) -> of.partitions().forEach((topic, partitions) -> {
                Map<Integer, String> taken = owners.computeIfAbsent(topic, t -> new HashMap<>());
                partitions.forEach(partition -> taken.put(partition, member));
            }));
        }

        public void assign() {
            Map<String, Map<Uuid, Set<Integer>>> made = new HashMap<>();
            assignor.assign(spec, new SubscribedTopicDescriber() {
                @Override
                public int numPartitions(Uuid topic) {
                    return counts.getOrDefault(topic, -1);
                }

                @Override
                public Set<String> racksForPartition(Uuid topic, int partition) {
                    return Collections.emptySet();
                }
            }).members().forEach((member, assigned) -> made.put(member, assigned.partitions()));
            next = made;
        }

        public long checksum() {
            long sum = 0;
            for (Map.Entry<String, Map<Uuid, Set<Integer>>> each : next.entrySet()) {
                for (Map.Entry<Uuid, Set<Integer>> part : each.getValue().entrySet()) {
                    sum += times(owner(each.getKey(), part.getKey()), part.getValue());
                }
            }
            return sum;
        }

        // Sorted before it is put into maps and sets again, as a broker does with its records: the
        // order in which colliding keys go in decides what some assignors take away.
        public void step() {
            targets = new HashMap<>();
            next.forEach((member, parts) -> {
                Map<Uuid, Set<Integer>> target = new HashMap<>();
                new TreeMap<>(parts).forEach((topic, partitions) ->
                    target.put(topic, new HashSet<>(new ArrayList<>(new TreeSet<>(partitions)))));
                targets.put(member, target);
            });
        }
    }

    public static final class Streams implements TopologyDescriber {
        private final Map<String, Integer> sizes = new HashMap<>();
        private final List<String> names;
        private final Map<String, String> processes = new HashMap<>();
        private final Map<String, String> settings;
        private Map<String, org.apache.kafka.coordinator.group.streams.assignor.MemberAssignment>
            targets = new HashMap<>();
        private Map<String, org.apache.kafka.coordinator.group.streams.assignor.MemberAssignment> next;
        private org.apache.kafka.coordinator.group.streams.assignor.GroupSpecImpl spec;

        public Streams(String[] names, int[] sizes, String[] members, String[] processes,
                int replicas) {
            this.names = List.of(names);
            for (int i = 0; i < names.length; i++) {
                this.sizes.put(names[i], sizes[i]);
            }
            for (int i = 0; i < members.length; i++) {
                this.processes.put(members[i], processes[i]);
            }
            settings = Map.of("num.standby.replicas", Integer.toString(replicas));
        }

        public void prepare(String[] members) {
            Map<String, AssignmentMemberSpec> specs = new HashMap<>();
            for (String member : members) {
                var target = targets.get(member);
                specs.put(member, new AssignmentMemberSpec(
                    Optional.empty(), Optional.empty(),
                    target == null ? Map.of() : target.activeTasks(),
                    target == null ? Map.of() : target.standbyTasks(),
                    Map.of(), processes.get(member), Map.of(), Map.of(), Map.of()));
            }
            spec = new org.apache.kafka.coordinator.group.streams.assignor.GroupSpecImpl(
                specs, settings);
        }

        public void assign() {
            next = new StickyTaskAssignor().assign(spec, this).members();
        }

        public long checksum() {
            long sum = 0;
            for (var each : next.entrySet()) {
                for (var part : each.getValue().activeTasks().entrySet()) {
                    sum += times(owner(each.getKey(), part.getKey()), part.getValue());
                }
                for (var part : each.getValue().standbyTasks().entrySet()) {
                    sum += 7 * times(owner(each.getKey(), part.getKey()), part.getValue());
                }
            }
            return sum;
        }

        public void step() {
            targets = next;
        }

        @Override
        public List<String> subtopologies() {
            return names;
        }

        @Override
        public int maxNumInputPartitions(String name) {
            return sizes.get(name);
        }

        @Override
        public boolean isStateful(String name) {
            return true;
        }
    }
}
