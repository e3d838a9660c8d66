@profile:kep-future
Feature: How accounting policies count what claims take
  A sketch of the document for later. A claim adds to what containers request, is the larger of both, or is a pool
  that they take from.

  Background:
    Given a device class "pooled" that selects
      """
      device.driver == "dra.example.com"
      """

  Rule: Amounts that are added

    @case:with-addperclaim-a-claim-of-4-cpus-for-counts-once
    @KEP-5517/policy/add-per-claim
    Scenario Outline: With AddPerClaim a claim of 4 CPUs for <what> counts once
      Given the device
        | device | takes cpu        |
        | four   | 4 as AddPerClaim |
      And a pod "p" with the containers
        | container | kind   | request cpu | claims  |
        | c1        | app    | 1           | c       |
        | c2        | <kind> | 2           | <second> |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes 7 of "cpu"

      Examples:
        | what           | kind    | second |
        | one container  | app     |        |
        | two containers | app     | c      |
        | a sidecar, too | sidecar | c      |

    @case:with-addperclaim-a-claim-that-another-pod-of-the
    @KEP-5517/policy/add-per-claim
    Scenario: With AddPerClaim a claim that another pod of the node has brought is not counted again
      Given a node "node-1" with 16 of "cpu"
      And the device
        | device | takes cpu        |
        | four   | 4 as AddPerClaim |
      And a pod "first" on node "node-1" that uses claim "c"
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes 1 of "cpu"

    @case:with-addperreference-a-claim-of-4-cpus-for-takes
    @KEP-5517/policy/add-per-reference
    Scenario Outline: With AddPerReference a claim of 4 CPUs for <what> takes <cpu> CPUs
      Given the device
        | device | takes cpu            |
        | four   | 4 as AddPerReference |
      And a pod "p" that uses claim "c" with the containers
        | container | kind   | request cpu | claims   |
        | c1        | app    | 1           | <first>  |
        | c2        | <kind> | 1           | <second> |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes <cpu> of "cpu"

      Examples:
        | what                | kind | first | second | cpu |
        | one container       | app  | c     |        | 6   |
        | two containers      | app  | c     | c      | 10  |
        | an init container   | init |       | c      | 5   |
        | no container        | app  |       |        | 6   |

  Rule: The larger of both

    @case:with-max-a-container-that-requests-and-claims-4-cpus
    @KEP-5517/policy/max
    Scenario Outline: With Max a container that requests <spec> and claims 4 CPUs takes <cpu>
      Given the device
        | device | takes cpu |
        | four   | 4 as Max  |
      And a pod "p" with the container
        | container | request cpu | request memory | claims |
        | main      | <spec>      | 1Gi            | c      |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes <cpu> of "cpu" and 1Gi of "memory"

      Examples:
        | spec  | cpu   |
        | 1     | 4     |
        | 4     | 4     |
        | 4001m | 4001m |
        | 6     | 6     |

    @case:with-max-each-container-is-compared-by-itself
    @KEP-5517/policy/max
    Scenario: With Max each container is compared by itself
      Given the device
        | device | takes cpu |
        | four   | 4 as Max  |
      And a pod "p" with the containers
        | container | request cpu | claims |
        | c1        | 1           | c      |
        | c2        | 6           | c      |
        | c3        | 3           |        |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes 13 of "cpu"

    @case:with-max-an-init-container-that-requests-and-claims
    @KEP-5517/policy/max
    Scenario Outline: With Max an init container that requests <spec> and claims 4 CPUs takes <cpu> while it runs
      Given the device
        | device | takes cpu |
        | four   | 4 as Max  |
      And a pod "p" with the containers
        | container | kind | request cpu | claims |
        | before    | init | <spec>      | c      |
        | main      | app  | 1           |        |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes <cpu> of "cpu"

      Examples:
        | spec | cpu |
        | 1    | 4   |
        | 6    | 6   |

    @case:with-max-a-claim-of-4-cpus-that-no-container-uses
    @KEP-5517/policy/max @KEP-5517/accounting/unreferenced-claim-still-counted
    Scenario: With Max a claim of 4 CPUs that no container uses takes all of them
      Given the device
        | device | takes cpu |
        | four   | 4 as Max  |
      And a pod "p" that uses claim "c" with the container
        | container | request cpu |
        | main      | 6           |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes 10 of "cpu"

  Rule: Who says how an amount is counted

    @case:a-device-that-says-is-not-counted-as-its-class-says
    @KEP-5517/policy-precedence/device-over-class
    Scenario Outline: A device that says <device> is not counted as its class says <class>
      Given the device
        | device | takes cpu     |
        | four   | 4 as <device> |
      And device class "pooled" counts "cpu" as <class>
      And a claim "c" requesting 1 device of class "pooled"
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes <cpu> of "cpu"

      Examples:
        | device      | class       | cpu |
        | AddPerClaim | Max         | 5   |
        | Max         | AddPerClaim | 4   |

    @case:of-a-device-that-says-nothing-the-class-decides
    @KEP-5517/policy-precedence/class-as-fallback
    Scenario Outline: Of a device that says nothing the class decides: <class> makes 1 and 4 CPUs <cpu>
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And device class "pooled" counts "cpu" as <class>
      And a claim "c" requesting 1 device of class "pooled"
      And a pod "p" with the containers
        | container | request cpu | claims |
        | c1        | 1           | c      |
        | c2        |             | c      |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes <cpu> of "cpu"

      Examples:
        | class           | cpu |
        | AddPerClaim     | 5   |
        | AddPerReference | 9   |
        | Max             | 8   |
        | ConsumeFrom     | 4   |

    @case:two-requests-of-one-claim-are-counted-as-their-own
    @KEP-5517/policy-precedence/class-as-fallback
    Scenario: Two requests of one claim are counted as their own classes say
      Given a device class "auxiliary" that selects
        """
        device.driver == "dra.example.com"
        """
      And the devices
        | device | takes cpu |
        | four   | 4         |
        | two    | 2         |
      And device class "pooled" counts "cpu" as Max
      And device class "auxiliary" counts "cpu" as AddPerClaim
      And a claim "c" with the requests
        | request | class     |
        | cores   | pooled    |
        | more    | auxiliary |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 3           | c      |
      And claim "c" already holds
        | device | request |
        | four   | cores   |
        | two    | more    |
      When the footprint of pod "p" is counted
      Then the pod takes 6 of "cpu"

    @case:of-a-request-with-alternatives-the-class-of-the-one
    @KEP-5517/policy-precedence/class-as-fallback
    Scenario: Of a request with alternatives the class of the one that was allocated decides
      Given a device class "auxiliary" that selects
        """
        device.driver == "dra.example.com"
        """
      And the device
        | device | takes cpu |
        | four   | 4         |
      And device class "pooled" counts "cpu" as Max
      And device class "auxiliary" counts "cpu" as AddPerClaim
      And a claim "c" with the requests
        | request | subrequest | class     |
        | cores   | first      | pooled    |
        | cores   | second     | auxiliary |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 3           | c      |
      And claim "c" already holds
        | device | request      |
        | four   | cores/second |
      When the footprint of pod "p" is counted
      Then the pod takes 7 of "cpu"

    @case:a-device-that-says-amount-and-policy-needs-no-class
    @KEP-5517/policy-precedence/driver-defined-on-device
    Scenario: A device that says amount and policy needs no class that does
      Given the device
        | device | takes cpu            | takes memory         |
        | gpu0   | 2 as AddPerReference | 8Gi as AddPerClaim   |
      And a pod "p" with the containers
        | container | request cpu | claims |
        | c1        | 1           | c      |
        | c2        | 1           | c      |
      And claim "c" already holds
        | device |
        | gpu0   |
      When the footprint of pod "p" is counted
      Then the pod takes 6 of "cpu" and 8Gi of "memory"

    @case:the-policy-of-a-device-is-stored
    @KEP-5517/policy-precedence/driver-defined-on-device
    Scenario: The policy of a device is stored
      Given the device
        | device | takes cpu            |
        | gpu0   | 2 as AddPerReference |
      When the ResourceSlice "pool-1-slice" is created
      Then the field "spec.devices[0].nodeAllocatableResourceMappings.cpu.accountingPolicy" is kept

    @case:the-policies-of-a-class-are-stored-with-the-mark
    @KEP-5517/policy-precedence/class-as-fallback
    Scenario: The policies of a class are stored, with the mark that it manages resources of nodes
      Given device class "pooled" counts "cpu" as ConsumeFrom
      And device class "pooled" counts "hugepages-1Gi" as AddPerClaim
      And device class "pooled" manages resources of nodes
      When the DeviceClass "pooled" is created
      Then the field "spec.nodeAllocatableResourceAccountingPolicies" is kept
      And the field "spec.managesNodeAllocatableResources" is kept

    @case:a-device-may-decide-of-cpu-and-leave-memory-to-its
    @KEP-5517/policy-precedence/per-resource-name
    Scenario: A device may decide of cpu and leave memory to its class
      Given the device
        | device | takes cpu | takes memory |
        | four   | 4 as Max  | 8Gi          |
      And device class "pooled" counts "cpu" as AddPerClaim
      And device class "pooled" counts "memory" as AddPerClaim
      And a claim "c" requesting 1 device of class "pooled"
      And a pod "p" with the container
        | container | request cpu | request memory | claims |
        | main      | 1           | 1Gi            | c      |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes 4 of "cpu" and 9Gi of "memory"

    @case:a-device-that-takes-cpus-nobody-says-how-to-count-is
    @KEP-5517/policy-precedence/missing-policy-is-an-error
    Scenario: A device that takes CPUs nobody says how to count is not allocated
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a claim "c" requesting 1 device of class "pooled"
      When allocation of claim "c" is attempted
      Then nothing fits

    @case:of-two-devices-the-one-with-a-policy-for-each-of-its
    @KEP-5517/policy-precedence/missing-policy-is-an-error
    Scenario: Of two devices the one with a policy for each of its resources is allocated
      Given the devices
        | device | takes cpu        | takes memory       |
        | a      | 4 as AddPerClaim | 1Gi                |
        | b      | 4 as AddPerClaim | 1Gi as AddPerClaim |
      And a claim "c" requesting 1 device of class "pooled"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | b      |

    @case:what-a-claim-holds-without-a-policy-is-not-counted
    @KEP-5517/policy-precedence/missing-policy-is-an-error
    Scenario: What a claim holds without a policy is not counted
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And device class "pooled" counts "memory" as AddPerClaim
      And a claim "c" requesting 1 device of class "pooled"
      And a pod "p" that uses claim "c"
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod has no footprint, because of PolicyMissing

  Rule: Claims of one container that count one resource in several ways

    Background:
      Given the devices
        | device | driver          | pool | takes cpu            | takes memory        |
        | max-4  | dra.example.com | a    | 4 as Max             |                     |
        | max-3  | dra.example.com | a    | 3 as Max             |                     |
        | far    | net.example.com | b    | 3 as Max             |                     |
        | mem    | net.example.com | b    |                      | 2Gi as ConsumeFrom  |
        | pool   | net.example.com | b    | 8 as ConsumeFrom     |                     |
        | claim  | gpu.example.com | g    | 2 as AddPerClaim     |                     |
        | each   | gpu.example.com | g    | 1 as AddPerReference |                     |

    @case:a-container-that-requests-takes-with-two-max-claims
    @KEP-5517/policy-compatibility/max-same-driver-sums
    Scenario Outline: A container that requests <spec> takes <cpu> with two Max claims of one driver
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | <spec>      | a, b   |
      And claim "a" already holds
        | device | pool |
        | max-4  | a    |
      And claim "b" already holds
        | device | pool |
        | max-3  | a    |
      When the footprint of pod "p" is counted
      Then the pod takes <cpu> of "cpu"

      Examples:
        | spec | cpu |
        | 6    | 7   |
        | 7    | 7   |
        | 8    | 8   |

    @case:a-container-cannot-have-a-max-claim-of-4-cpus-and
    @KEP-5517/policy-compatibility/max-different-drivers-invalid
    @KEP-5517/policy-compatibility/max-and-consume-from-exclude-each-other
    Scenario Outline: A container cannot have a Max claim of 4 CPUs and one of <what>
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | a, b   |
      And claim "a" already holds
        | device | pool |
        | max-4  | a    |
      And claim "b" already holds
        | device   | driver          | pool |
        | <device> | net.example.com | b    |
      When the footprint of pod "p" is counted
      Then the pod has no footprint, because of PoliciesConflict

      Examples:
        | what                      | device |
        | another driver            | far    |
        | a pool                    | pool   |

    @case:a-container-cannot-have-a-max-claim-and-a-pool-of
    @KEP-5517/policy-compatibility/max-and-consume-from-exclude-each-other
    Scenario: A container cannot have a Max claim and a pool of one driver either
      Given the device
        | device | pool | takes cpu        |
        | own    | a    | 8 as ConsumeFrom |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | a, b   |
      And claim "a" already holds
        | device | pool |
        | max-4  | a    |
      And claim "b" already holds
        | device | pool |
        | own    | a    |
      When the footprint of pod "p" is counted
      Then the pod has no footprint, because of PoliciesConflict

    @case:two-containers-may-have-max-claims-of-different
    @KEP-5517/policy-compatibility/scope-is-container-and-resource
    Scenario: Two containers may have Max claims of different drivers
      Given a pod "p" with the containers
        | container | request cpu | claims |
        | c1        | 1           | a      |
        | c2        | 1           | b      |
      And claim "a" already holds
        | device | pool |
        | max-4  | a    |
      And claim "b" already holds
        | device | driver          | pool |
        | far    | net.example.com | b    |
      When the footprint of pod "p" is counted
      Then the pod takes 7 of "cpu"

    @case:a-container-may-have-a-max-claim-for-cpu-and-a-pool
    @KEP-5517/policy-compatibility/scope-is-container-and-resource
    Scenario: A container may have a Max claim for cpu and a pool of another driver for memory
      Given a pod "p" with the container
        | container | request cpu | request memory | claims |
        | main      | 1           | 1Gi            | a, b   |
      And claim "a" already holds
        | device | pool |
        | max-4  | a    |
      And claim "b" already holds
        | device | driver          | pool |
        | mem    | net.example.com | b    |
      When the footprint of pod "p" is counted
      Then the pod takes 4 of "cpu" and 2Gi of "memory"

    @case:what-is-added-comes-on-top-of-the-larger-of-both
    @KEP-5517/policy-compatibility/max-with-additive
    Scenario: What is added comes on top of the larger of both
      Given a pod "p" with the container
        | container | request cpu | claims  |
        | main      | 1           | a, b, d |
      And claim "a" already holds
        | device | pool |
        | max-4  | a    |
      And claim "b" already holds
        | device | driver          | pool |
        | claim  | gpu.example.com | g    |
      And claim "d" already holds
        | device | driver          | pool |
        | each   | gpu.example.com | g    |
      When the footprint of pod "p" is counted
      Then the pod takes 7 of "cpu"

    @case:what-is-added-is-not-taken-from-the-pool
    @KEP-5517/policy-compatibility/consume-from-with-additive
    Scenario: What is added is not taken from the pool
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 8           | a, b   |
      And claim "a" already holds
        | device | driver          | pool |
        | pool   | net.example.com | b    |
      And claim "b" already holds
        | device | driver          | pool |
        | claim  | gpu.example.com | g    |
      When the footprint of pod "p" is counted
      Then the pod takes 10 of "cpu"
