@profile:kep-future
Feature: Pools of the accounting policy ConsumeFrom, shared by containers and pods
  A future enhancement of the KEP. The whole pool is reserved on the node once. The requests of containers that use the
  pool are taken from the pool.

  Rule: Use case: pods that consume from a shared CPU pool

    Background:
      Given a node "node-1" with allocatable 128 of "cpu"
      And a DeviceClass "shared-cpu-pool" with the selector
        """
        device.driver == "dra.example.com"
        """
      And DeviceClass "shared-cpu-pool" manages node allocatable resources
      And the device
        | device                 | allowMultipleAllocations | capacity cpu | mapping cpu        |
        | shared-pool-instance-1 | yes                      | 128          | cpu as ConsumeFrom |
      And a ResourceClaim "shared-cpu-claim" with the request
        | request | deviceClassName | capacity cpu |
        | pool    | shared-cpu-pool | 100          |
      And a pod "pod1" with the container
        | container   | request cpu | claims           |
        | container-a | 10          | shared-cpu-claim |

    @case:pool-reserved-for-first-pod
    @KEP-5517/policy/consume-from-walkthrough-pod1 @KEP-5517/policy/consume-from-reserves-whole-pool
    Scenario: The first pod that uses a ConsumeFrom pool reserves all CPUs of the pool on the node
      When the cluster reaches a steady state
      Then pod "pod1" is Running
      And pod "pod1" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim    | containers  | resource cpu |
        | shared-cpu-claim | container-a | 100          |
      When a pod "too-much" with the container is created
        | container | request cpu |
        | main      | 28001m      |
      And the cluster reaches a steady state
      Then pod "too-much" is Pending
      When a pod "rest" with the container is created
        | container | request cpu |
        | main      | 28          |
      And the cluster reaches a steady state
      Then pod "rest" is Running

    @case:second-pod-uses-pool
    @KEP-5517/policy/consume-from-walkthrough-pod2 @KEP-5517/policy/consume-from-sum-within-pool
    @KEP-5517/policy/managed-class-skips-standard-fit
    Scenario: A second pod consumes from a ConsumeFrom pool although the node has no other free CPUs
      Given a pod "rest" with the container
        | container | request cpu |
        | main      | 28          |
      When the cluster reaches a steady state
      Then pod "rest" is Running
      When a pod "pod2" with the container is created
        | container   | request cpu | claims           |
        | container-b | 20          | shared-cpu-claim |
      And the cluster reaches a steady state
      Then pod "pod2" is Running
      And ResourceClaim "shared-cpu-claim" is reserved for pods "pod1, pod2"

    @case:pool-and-unmapped-claim
    @KEP-5517/policy/managed-class-skips-standard-fit
    Scenario Outline: A pod with a ConsumeFrom and a GPU ResourceClaim runs although the node has no free CPUs
      Given a DeviceClass "gpu" with the selector
        """
        device.driver == "gpu.example.com"
        """
      And the device
        | device | driver          |
        | gpu-0  | gpu.example.com |
      And a ResourceClaim "plain" requesting 1 device of class "gpu"
      And a pod "rest" with the container
        | container | request cpu |
        | main      | 28          |
      When the cluster reaches a steady state
      Then pod "rest" is Running
      When a pod "pod2" that uses ResourceClaims "<claims>" with the container is created
        | container   | request cpu | claims   |
        | container-b | 20          | <claims> |
      And the cluster reaches a steady state
      Then pod "pod2" is Running

      Examples:
        | claims                  |
        | plain, shared-cpu-claim |
        | shared-cpu-claim, plain |

    @case:rest-of-pool
    @KEP-5517/policy/consume-from-sum-within-pool
    Scenario Outline: A pod runs only if its container requests fit in the unused CPUs of its ConsumeFrom pool
      Given a pod "pod2" with the container
        | container   | request cpu | claims           |
        | container-b | 20          | shared-cpu-claim |
      When the cluster reaches a steady state
      Then pod "pod2" is Running
      When a pod "pod3" with the containers is created
        | container | request cpu | claims           |
        | c1        | 30          | shared-cpu-claim |
        | c2        | <second>    | shared-cpu-claim |
      And the cluster reaches a steady state
      Then pod "pod3" <what>

      Examples:
        | second | what       |
        | 40     | is Running |
        | 40001m | is Pending |

    @case:deletion-returns-pool
    @KEP-5517/policy/consume-from-walkthrough-deletions
    Scenario: A ConsumeFrom pool is released to the node only after the last pod that uses it is deleted
      Given a pod "pod2" with the container
        | container   | request cpu | claims           |
        | container-b | 20          | shared-cpu-claim |
      And a pod "waits-for-pool" with the container
        | container | request cpu | claims           |
        | main      | 75          | shared-cpu-claim |
      And a pod "waits-for-node" with the container
        | container | request cpu |
        | main      | 29          |
      When the cluster reaches a steady state
      And pod "waits-for-pool" is created
      And pod "waits-for-node" is created
      And the cluster reaches a steady state
      Then pod "pod1" is Running
      And pod "pod2" is Running
      And pod "waits-for-pool" is Pending
      And pod "waits-for-node" is Pending
      When pod "pod1" is deleted
      And the cluster reaches a steady state
      Then pod "waits-for-pool" is Running
      And pod "waits-for-node" is Pending
      When pod "pod2" is deleted
      And the cluster reaches a steady state
      Then pod "waits-for-node" is Pending
      When pod "waits-for-pool" is deleted
      And the cluster reaches a steady state
      Then pod "waits-for-node" is Running

    @case:pool-larger-than-node
    @KEP-5517/policy/consume-from-reserves-whole-pool
    Scenario: A ConsumeFrom pool larger than the free CPUs of the node cannot be allocated
      Given a pod "large" on node "node-1" with the container
        | container | request cpu |
        | main      | 28001m      |
      When the cluster reaches a steady state
      Then pod "large" is Running
      And pod "pod1" is Pending
      And ResourceClaim "shared-cpu-claim" is not allocated

    @case:container-outside-pool
    @KEP-5517/policy/managed-class-skips-standard-fit
    Scenario: A container that does not use its pod's ConsumeFrom pool needs free CPUs on the node
      Given a pod "rest" with the container
        | container | request cpu |
        | main      | 28          |
      When the cluster reaches a steady state
      Then pod "rest" is Running
      When a pod "both" with the containers is created
        | container | request cpu | claims           |
        | inside    | 20          | shared-cpu-claim |
        | outside   | 1           |                  |
      And the cluster reaches a steady state
      Then pod "both" is Pending

    @case:extended-resource-of-managed-class
    @KEP-5517/policy/managed-class-skips-standard-fit
    Scenario: A pod that uses a ConsumeFrom pool stays Pending if no node has its extended resource
      Given a pod "both" with the container
        | container | request cpu | request example.com/nic | limit example.com/nic | claims           |
        | main      | 20          | 1                       | 1                     | shared-cpu-claim |
      When the cluster reaches a steady state
      Then pod "pod1" is Running
      And pod "both" is Pending

  Rule: DeviceClass without managesNodeAllocatableResources

    @case:unmarked-class-needs-node-room
    @KEP-5517/policy/managed-class-skips-standard-fit
    Scenario: Container requests need free node CPUs if managesNodeAllocatableResources is not set
      Given a node "node-1" with allocatable 128 of "cpu"
      And a DeviceClass "plain" with the selector
        """
        device.driver == "dra.example.com"
        """
      And the device
        | device | mapping cpu        |
        | pool   | 100 as ConsumeFrom |
      And a ResourceClaim "c" requesting 1 device of class "plain"
      And a pod "first" with the container
        | container | request cpu | claims |
        | main      | 10          | c      |
      When the cluster reaches a steady state
      Then pod "first" is Running
      When a pod "second" with the container is created
        | container | request cpu | claims |
        | main      | 29          | c      |
      And the cluster reaches a steady state
      Then pod "second" is Pending
      When a pod "third" with the container is created
        | container | request cpu | claims |
        | main      | 28          | c      |
      And the cluster reaches a steady state
      Then pod "third" is Running

  Rule: An AddPerClaim ResourceClaim shared by several pods

    Background:
      Given a node "node-1" with allocatable 16 of "cpu"

    @case:add-per-claim-across-pods
    @KEP-5517/policy/add-per-claim
    Scenario: An AddPerClaim ResourceClaim shared by two pods counts once, even after one pod is deleted
      Given the device
        | device | mapping cpu      |
        | four   | 4 as AddPerClaim |
      And a ResourceClaim "c" requesting 1 device
      And a pod "first" with the container
        | container | request cpu | claims |
        | main      | 4           | c      |
      And a pod "second" with the container
        | container | request cpu | claims |
        | main      | 4           | c      |
      And a pod "third" with the container
        | container | request cpu |
        | main      | 5           |
      When the cluster reaches a steady state
      And pod "third" is created
      And the cluster reaches a steady state
      Then pod "first" is Running
      And pod "second" is Running
      And pod "third" is Pending
      When pod "first" is deleted
      And the cluster reaches a steady state
      Then pod "third" is Running
      When a pod "fourth" with the container is created
        | container | request cpu |
        | main      | 4           |
      And the cluster reaches a steady state
      Then pod "fourth" is Pending

  Rule: ConsumeFrom pools together with other ResourceClaims of a container

    Background:
      Given a node "node-1" with allocatable 24 of "cpu"
      And the devices
        | device | driver          | pool | mapping cpu      |
        | eight  | dra.example.com | a    | 8 as ConsumeFrom |
        | four   | dra.example.com | a    | 4 as ConsumeFrom |
        | other  | net.example.com | b    | 4 as ConsumeFrom |
        | max    | net.example.com | b    | 4 as Max         |
        | extra  | net.example.com | b    | 2 as AddPerClaim |
      And ResourceClaim "eight" is already allocated
        | device | pool |
        | eight  | a    |
      And ResourceClaim "four" is already allocated
        | device | pool |
        | four   | a    |
      And ResourceClaim "other" is already allocated
        | device | driver          | pool |
        | other  | net.example.com | b    |
      And ResourceClaim "max" is already allocated
        | device | driver          | pool |
        | max    | net.example.com | b    |
      And ResourceClaim "extra" is already allocated
        | device | driver          | pool |
        | extra  | net.example.com | b    |

    @case:two-pools-of-one-driver
    @KEP-5517/policy-compatibility/consume-from-same-driver
    Scenario Outline: A container may request up to the sum of two ConsumeFrom pools of one driver
      Given a pod "p" with the container
        | container | request cpu | claims      |
        | main      | <cpu>       | eight, four |
      When the cluster reaches a steady state
      Then pod "p" <what>

      Examples:
        | cpu    | what       |
        | 12     | is Running |
        | 12001m | is Pending |

    @case:init-container-from-pool
    @KEP-5517/policy/consume-from-sum-within-pool
    Scenario Outline: An init container may request at most the CPUs of its ConsumeFrom pool
      Given a pod "p" with the containers
        | container | kind | request cpu | claims |
        | before    | init | <cpu>       | eight  |
        | main      | app  | 1           |        |
      When the cluster reaches a steady state
      Then pod "p" <what>

      Examples:
        | cpu   | what       |
        | 8     | is Running |
        | 8001m | is Pending |

    @case:pools-of-two-drivers
    @KEP-5517/policy-compatibility/consume-from-same-driver
    Scenario: A pod stays Pending if one container uses ConsumeFrom pools of two drivers
      Given a pod "p" with the container
        | container | request cpu | claims       |
        | main      | 1           | eight, other |
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "p" has no nodeAllocatableResourceClaimStatuses
      And ResourceClaim "eight" is reserved for no pod

    @case:pools-of-two-drivers-apart
    @KEP-5517/policy-compatibility/scope-is-container-and-resource
    Scenario: A pod runs if each of its containers uses a ConsumeFrom pool of a different driver
      Given a pod "p" with the containers
        | container | request cpu | claims |
        | c1        | 8           | eight  |
        | c2        | 4           | other  |
      When the cluster reaches a steady state
      Then pod "p" is Running

    @case:pool-and-max-claim
    @KEP-5517/policy-compatibility/max-and-consume-from-exclude-each-other
    Scenario: A pod stays Pending if one container uses a ConsumeFrom and a Max ResourceClaim
      Given a pod "p" with the container
        | container | request cpu | claims     |
        | main      | 1           | eight, max |
      And a pod "next" with the container
        | container | request cpu |
        | main      | 24          |
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "next" is Running

    @case:pool-and-additive-claim
    @KEP-5517/policy-compatibility/consume-from-with-additive
    Scenario: An AddPerClaim ResourceClaim uses node CPUs in addition to a ConsumeFrom pool
      Given a pod "p" with the container
        | container | request cpu | claims       |
        | main      | 8           | eight, extra |
      When the cluster reaches a steady state
      Then pod "p" is Running
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 14001m      |
      And the cluster reaches a steady state
      Then pod "next" is Pending
      When a pod "last" with the container is created
        | container | request cpu |
        | main      | 14          |
      And the cluster reaches a steady state
      Then pod "last" is Running
