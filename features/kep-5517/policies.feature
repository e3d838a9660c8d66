@profile:kep-future
Feature: Accounting policies of ResourceClaims
  A future enhancement of the KEP. The quantity of a ResourceClaim is added to the container request, compared with the
  request, or used as a pool from which the request is taken.

  Background:
    Given a DeviceClass "pooled" with the selector
      """
      device.driver == "dra.example.com"
      """

  Rule: Accounting policies AddPerClaim and AddPerReference

    @case:add-per-claim-once-per-pod
    @KEP-5517/policy/add-per-claim
    Scenario Outline: AddPerClaim counts a ResourceClaim once, however many containers reference it
      Given the device
        | device | mapping cpu      |
        | four   | 4 as AddPerClaim |
      And a pod "p" with the containers
        | container | kind   | request cpu | claims  |
        | c1        | app    | 1           | c       |
        | c2        | <kind> | 2           | <second> |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 7 of "cpu"

      Examples:
        | what           | kind    | second |
        | one container  | app     |        |
        | two containers | app     | c      |
        | app, sidecar   | sidecar | c      |

    @case:add-per-claim-second-pod
    @KEP-5517/policy/add-per-claim
    Scenario: AddPerClaim adds nothing for a second pod on the node with the same ResourceClaim
      Given a node "node-1" with allocatable 16 of "cpu"
      And the device
        | device | mapping cpu      |
        | four   | 4 as AddPerClaim |
      And a pod "first" on node "node-1" that uses ResourceClaim "c"
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 1 of "cpu"

    @case:add-per-reference
    @KEP-5517/policy/add-per-reference
    Scenario Outline: AddPerReference counts a ResourceClaim once per container, or once if unreferenced
      Given the device
        | device | mapping cpu          |
        | four   | 4 as AddPerReference |
      And a pod "p" that uses ResourceClaim "c" with the containers
        | container | kind   | request cpu | claims   |
        | c1        | app    | 1           | <first>  |
        | c2        | <kind> | 1           | <second> |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses <cpu> of "cpu"

      Examples:
        | what                | kind | first | second | cpu |
        | one container       | app  | c     |        | 6   |
        | two containers      | app  | c     | c      | 10  |
        | an init container   | init |       | c      | 5   |
        | no container        | app  |       |        | 6   |

  Rule: Accounting policy Max

    @case:max-of-request-and-claim
    @KEP-5517/policy/max
    Scenario Outline: Accounting policy Max counts the larger of container request and ResourceClaim
      Given the device
        | device | mapping cpu |
        | four   | 4 as Max    |
      And a pod "p" with the container
        | container | request cpu | request memory | claims |
        | main      | <spec>      | 1Gi            | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses <cpu> of "cpu" and 1Gi of "memory"

      Examples:
        | spec  | cpu   |
        | 1     | 4     |
        | 4     | 4     |
        | 4001m | 4001m |
        | 6     | 6     |

    @case:max-per-container
    @KEP-5517/policy/max
    Scenario: Accounting policy Max compares each container request with the ResourceClaim separately
      Given the device
        | device | mapping cpu |
        | four   | 4 as Max    |
      And a pod "p" with the containers
        | container | request cpu | claims |
        | c1        | 1           | c      |
        | c2        | 6           | c      |
        | c3        | 3           |        |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 13 of "cpu"

    @case:max-of-init-container
    @KEP-5517/policy/max
    Scenario Outline: Accounting policy Max counts the larger of request and ResourceClaim in init containers
      Given the device
        | device | mapping cpu |
        | four   | 4 as Max    |
      And a pod "p" with the containers
        | container | kind | request cpu | claims |
        | before    | init | <spec>      | c      |
        | main      | app  | 1           |        |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses <cpu> of "cpu"

      Examples:
        | spec | cpu |
        | 1    | 4   |
        | 6    | 6   |

    @case:max-unreferenced-claim
    @KEP-5517/policy/max @KEP-5517/accounting/unreferenced-claim-still-counted
    Scenario: Accounting policy Max adds an unreferenced ResourceClaim to the container requests
      Given the device
        | device | mapping cpu |
        | four   | 4 as Max    |
      And a pod "p" that uses ResourceClaim "c" with the container
        | container | request cpu |
        | main      | 6           |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 10 of "cpu"

  Rule: Accounting policies of devices and DeviceClasses

    @case:device-policy-over-class
    @KEP-5517/policy-precedence/device-over-class
    Scenario Outline: An accounting policy of the device overrides the policy of its DeviceClass
      Given the device
        | device | mapping cpu   |
        | four   | 4 as <device> |
      And DeviceClass "pooled" has the accounting policy <class> for "cpu"
      And a ResourceClaim "c" requesting 1 device of class "pooled"
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses <cpu> of "cpu"

      Examples:
        | device      | class       | cpu |
        | AddPerClaim | Max         | 5   |
        | Max         | AddPerClaim | 4   |

    @case:class-policy-as-fallback
    @KEP-5517/policy-precedence/class-as-fallback
    Scenario Outline: The accounting policy of the DeviceClass applies if the device has no policy
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And DeviceClass "pooled" has the accounting policy <class> for "cpu"
      And a ResourceClaim "c" requesting 1 device of class "pooled"
      And a pod "p" with the containers
        | container | request cpu | claims |
        | c1        | 1           | c      |
        | c2        |             | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses <cpu> of "cpu"

      Examples:
        | class           | cpu |
        | AddPerClaim     | 5   |
        | AddPerReference | 9   |
        | Max             | 8   |
        | ConsumeFrom     | 4   |

    @case:class-policy-per-request
    @KEP-5517/policy-precedence/class-as-fallback
    Scenario: Each request of a ResourceClaim uses the accounting policy of its own DeviceClass
      Given a DeviceClass "auxiliary" with the selector
        """
        device.driver == "dra.example.com"
        """
      And the devices
        | device | mapping cpu |
        | four   | 4           |
        | two    | 2           |
      And DeviceClass "pooled" has the accounting policy Max for "cpu"
      And DeviceClass "auxiliary" has the accounting policy AddPerClaim for "cpu"
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | cores   | pooled          |
        | more    | auxiliary       |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 3           | c      |
      And ResourceClaim "c" is already allocated
        | device | request |
        | four   | cores   |
        | two    | more    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 6 of "cpu"

    @case:class-policy-of-alternative
    @KEP-5517/policy-precedence/class-as-fallback
    Scenario: The accounting policy of the allocated subrequest's DeviceClass applies
      Given a DeviceClass "auxiliary" with the selector
        """
        device.driver == "dra.example.com"
        """
      And the device
        | device | mapping cpu |
        | four   | 4           |
      And DeviceClass "pooled" has the accounting policy Max for "cpu"
      And DeviceClass "auxiliary" has the accounting policy AddPerClaim for "cpu"
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | cores   | first      | pooled          |
        | cores   | second     | auxiliary       |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 3           | c      |
      And ResourceClaim "c" is already allocated
        | device | request      |
        | four   | cores/second |
      When the node resource usage of pod "p" is computed
      Then the pod uses 7 of "cpu"

    @case:device-policy-without-class
    @KEP-5517/policy-precedence/driver-defined-on-device
    Scenario: A device with its own accounting policies needs no policy in a DeviceClass
      Given the device
        | device | mapping cpu          | mapping memory     |
        | gpu0   | 2 as AddPerReference | 8Gi as AddPerClaim |
      And a pod "p" with the containers
        | container | request cpu | claims |
        | c1        | 1           | c      |
        | c2        | 1           | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | gpu0   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 6 of "cpu" and 8Gi of "memory"

    @case:device-policy-stored
    @KEP-5517/policy-precedence/driver-defined-on-device
    Scenario: The accounting policy of a device is stored
      Given the device
        | device | mapping cpu          |
        | gpu0   | 2 as AddPerReference |
      When ResourceSlice "pool-1-slice" is created
      Then the field "spec.devices[0].nodeAllocatableResourceMappings.cpu.accountingPolicy" is kept

    @case:class-policies-stored
    @KEP-5517/policy-precedence/class-as-fallback
    Scenario: Accounting policies and managesNodeAllocatableResources of a DeviceClass are stored
      Given DeviceClass "pooled" has the accounting policy ConsumeFrom for "cpu"
      And DeviceClass "pooled" has the accounting policy AddPerClaim for "hugepages-1Gi"
      And DeviceClass "pooled" manages node allocatable resources
      When DeviceClass "pooled" is created
      Then the field "spec.nodeAllocatableResourceAccountingPolicies" is kept
      And the field "spec.managesNodeAllocatableResources" is kept

    @case:policy-per-resource
    @KEP-5517/policy-precedence/per-resource-name
    Scenario: The DeviceClass accounting policy applies to memory if the device sets only a CPU policy
      Given the device
        | device | mapping cpu | mapping memory |
        | four   | 4 as Max    | 8Gi            |
      And DeviceClass "pooled" has the accounting policy AddPerClaim for "cpu"
      And DeviceClass "pooled" has the accounting policy AddPerClaim for "memory"
      And a ResourceClaim "c" requesting 1 device of class "pooled"
      And a pod "p" with the container
        | container | request cpu | request memory | claims |
        | main      | 1           | 1Gi            | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 4 of "cpu" and 9Gi of "memory"

    @case:no-policy-not-allocated
    @KEP-5517/policy-precedence/missing-policy-is-an-error
    Scenario: A mapped device without an accounting policy cannot be allocated
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And a ResourceClaim "c" requesting 1 device of class "pooled"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:policy-for-each-resource
    @KEP-5517/policy-precedence/missing-policy-is-an-error
    Scenario: A device that lacks an accounting policy for one mapped resource is not allocated
      Given the devices
        | device | mapping cpu      | mapping memory     |
        | a      | 4 as AddPerClaim | 1Gi                |
        | b      | 4 as AddPerClaim | 1Gi as AddPerClaim |
      And a ResourceClaim "c" requesting 1 device of class "pooled"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | b      |

    @case:no-policy-not-counted
    @KEP-5517/policy-precedence/missing-policy-is-an-error
    Scenario: Node resource usage cannot be computed if a mapped resource has no accounting policy
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And DeviceClass "pooled" has the accounting policy AddPerClaim for "memory"
      And a ResourceClaim "c" requesting 1 device of class "pooled"
      And a pod "p" that uses ResourceClaim "c"
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the node resource usage cannot be computed because of PolicyMissing

    @case:no-policy-for-memory
    @KEP-5517/policy-precedence/missing-policy-is-an-error
    Scenario: Node resource usage cannot be computed if the device has an accounting policy only for CPU
      Given the device
        | device | mapping cpu      | mapping memory |
        | four   | 4 as AddPerClaim | 1Gi            |
      And a ResourceClaim "c" requesting 1 device of class "pooled"
      And a pod "p" that uses ResourceClaim "c"
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the node resource usage cannot be computed because of PolicyMissing

  Rule: Accounting policies of several ResourceClaims in one container

    Background:
      Given the devices
        | device | driver          | pool | mapping cpu          | mapping memory     |
        | max-4  | dra.example.com | a    | 4 as Max             |                    |
        | max-3  | dra.example.com | a    | 3 as Max             |                    |
        | far    | net.example.com | b    | 3 as Max             |                    |
        | mem    | net.example.com | b    |                      | 2Gi as ConsumeFrom |
        | pool   | net.example.com | b    | 8 as ConsumeFrom     |                    |
        | claim  | gpu.example.com | g    | 2 as AddPerClaim     |                    |
        | each   | gpu.example.com | g    | 1 as AddPerReference |                    |

    @case:max-claims-of-one-driver
    @KEP-5517/policy-compatibility/max-same-driver-sums
    Scenario Outline: Accounting policy Max compares the request with the sum of two ResourceClaims of a driver
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | <spec>      | a, b   |
      And ResourceClaim "a" is already allocated
        | device | pool |
        | max-4  | a    |
      And ResourceClaim "b" is already allocated
        | device | pool |
        | max-3  | a    |
      When the node resource usage of pod "p" is computed
      Then the pod uses <cpu> of "cpu"

      Examples:
        | spec | cpu |
        | 6    | 7   |
        | 7    | 7   |
        | 8    | 8   |

    @case:max-claim-with-other-driver
    @KEP-5517/policy-compatibility/max-different-drivers-invalid
    @KEP-5517/policy-compatibility/max-and-consume-from-exclude-each-other
    Scenario Outline: Accounting policy Max conflicts with Max or ConsumeFrom of a second driver in a container
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | a, b   |
      And ResourceClaim "a" is already allocated
        | device | pool |
        | max-4  | a    |
      And ResourceClaim "b" is already allocated
        | device   | driver          | pool |
        | <device> | net.example.com | b    |
      When the node resource usage of pod "p" is computed
      Then the node resource usage cannot be computed because of PoliciesConflict

      Examples:
        | what                      | device |
        | another driver            | far    |
        | a pool                    | pool   |

    @case:max-claim-with-pool-of-driver
    @KEP-5517/policy-compatibility/max-and-consume-from-exclude-each-other
    Scenario: Accounting policies Max and ConsumeFrom of one driver conflict in one container
      Given the device
        | device | pool | mapping cpu      |
        | own    | a    | 8 as ConsumeFrom |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | a, b   |
      And ResourceClaim "a" is already allocated
        | device | pool |
        | max-4  | a    |
      And ResourceClaim "b" is already allocated
        | device | pool |
        | own    | a    |
      When the node resource usage of pod "p" is computed
      Then the node resource usage cannot be computed because of PoliciesConflict

    @case:max-claims-in-two-containers
    @KEP-5517/policy-compatibility/scope-is-container-and-resource
    Scenario: Accounting policy Max of two drivers is allowed in different containers
      Given a pod "p" with the containers
        | container | request cpu | claims |
        | c1        | 1           | a      |
        | c2        | 1           | b      |
      And ResourceClaim "a" is already allocated
        | device | pool |
        | max-4  | a    |
      And ResourceClaim "b" is already allocated
        | device | driver          | pool |
        | far    | net.example.com | b    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 7 of "cpu"

    @case:max-cpu-and-pool-memory
    @KEP-5517/policy-compatibility/scope-is-container-and-resource
    Scenario: Accounting policies Max for CPU and ConsumeFrom for memory are allowed in one container
      Given a pod "p" with the container
        | container | request cpu | request memory | claims |
        | main      | 1           | 1Gi            | a, b   |
      And ResourceClaim "a" is already allocated
        | device | pool |
        | max-4  | a    |
      And ResourceClaim "b" is already allocated
        | device | driver          | pool |
        | mem    | net.example.com | b    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 4 of "cpu" and 2Gi of "memory"

    @case:additive-with-max
    @KEP-5517/policy-compatibility/max-with-additive
    Scenario: AddPerClaim and AddPerReference quantities are added to the quantity of policy Max
      Given a pod "p" with the container
        | container | request cpu | claims  |
        | main      | 1           | a, b, d |
      And ResourceClaim "a" is already allocated
        | device | pool |
        | max-4  | a    |
      And ResourceClaim "b" is already allocated
        | device | driver          | pool |
        | claim  | gpu.example.com | g    |
      And ResourceClaim "d" is already allocated
        | device | driver          | pool |
        | each   | gpu.example.com | g    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 7 of "cpu"

    @case:additive-with-pool
    @KEP-5517/policy-compatibility/consume-from-with-additive
    Scenario: An AddPerClaim ResourceClaim is counted in addition to a ConsumeFrom ResourceClaim
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 8           | a, b   |
      And ResourceClaim "a" is already allocated
        | device | driver          | pool |
        | pool   | net.example.com | b    |
      And ResourceClaim "b" is already allocated
        | device | driver          | pool |
        | claim  | gpu.example.com | g    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 10 of "cpu"
