Feature: Use cases of the KEP
  The four use case walkthroughs and the additive example, with the numbers of the KEP.

  Background:
    Given a device class "cpu-mem-socket" that selects
      """
      device.attributes["dra.example.com"].type == "socket"
      """
    And a device class "gpu-class" that selects
      """
      device.attributes["dra.example.com"].type == "gpu"
      """

  Rule: Use case 1, a pod with standard and DRA requests

    Background:
      Given the device
        | device  | node  | attribute type | shared | capacity cpu | capacity memory | takes cpu | takes memory |
        | socket0 | node1 | string socket  | yes    | 128          | 256Gi           | cpu       | memory       |
      And a claim "cpu-mem-claim" with the request
        | request     | class          | capacity cpu | capacity memory |
        | cpu-mem-req | cpu-mem-socket | 4            | 8Gi             |
      And a pod "dra-pod" with the containers
        | container | request cpu | request memory | claims        |
        | my-app1   | 100m        | 100Mi          | cpu-mem-claim |
        | my-app2   |             |                | cpu-mem-claim |

    @case:use-case-1-exact-fit
    @KEP-5517/accounting/use-case-1-standard-plus-pool @KEP-5517/status/entry-content
    @KEP-5517/status/written-at-prebind @KEP-5517/mapping/consumable-pool-representation
    Scenario: A pod runs on a node with exactly the resources of its requests and its ResourceClaim
      Given a node "node1" with 4100m of "cpu" and 8292Mi of "memory"
      When the cluster settles
      Then pod "dra-pod" runs on node "node1"
      And claim "cpu-mem-claim" consumes 4 of "cpu" and 8Gi of "memory"
      And pod "dra-pod" records
        | claim         | containers       | takes cpu | takes memory |
        | cpu-mem-claim | my-app1, my-app2 | 4         | 8Gi          |

    @case:use-case-1-node-too-small
    @KEP-5517/accounting/use-case-1-standard-plus-pool
    Scenario Outline: A pod stays Pending on a node too small for its requests and its ResourceClaim
      Given a node "node1" with <cpu> of "cpu" and <memory> of "memory"
      When the cluster settles
      Then pod "dra-pod" is pending
      And claim "cpu-mem-claim" is not allocated
      And pod "dra-pod" records nothing

      Examples:
        | cpu   | memory |
        | 4099m | 8292Mi |
        | 4100m | 8291Mi |

  Rule: Use case 2, a GPU or CPUs

    Background:
      Given a node "node1" with 31 of "cpu" and 1Gi of "memory"
      And the device
        | device  | node  | attribute type | shared | capacity cpu | takes cpu |
        | socket0 | node1 | string socket  | yes    | 128          | cpu       |
      And a template "gpu-or-cpu-template" with the requests
        | request        | subrequest | class          | capacity cpu |
        | gpu-or-cpu-req | gpu        | gpu-class      |              |
        | gpu-or-cpu-req | cpu        | cpu-mem-socket | 30           |
      And a pod "fungible-pod" that uses the template "gpu-or-cpu-template" as "gpu-or-cpu" with the container
        | container | request cpu | request memory | claims     |
        | my-app    | 1           | 1Gi            | gpu-or-cpu |

    @case:use-case-2-gpu
    @KEP-5517/accounting/use-case-2-fungible-footprint @KEP-5517/status/no-entry-without-node-resources
    Scenario: A pod uses only its requests if the GPU alternative is allocated
      Given the device
        | device | node  | pool | driver          | attribute dra.example.com/type |
        | gpu0   | node1 | gpus | gpu.example.com | string gpu                     |
      And a pod "next" with the container
        | container | request cpu |
        | main      | 30          |
      When the cluster settles
      Then pod "fungible-pod" runs on node "node1"
      And claim "gpu-or-cpu of pod fungible-pod" gets exactly
        | request            | device |
        | gpu-or-cpu-req/gpu | gpu0   |
      And pod "fungible-pod" records nothing
      And pod "next" runs on node "node1"

    @case:use-case-2-cpus
    @KEP-5517/accounting/use-case-2-fungible-footprint @KEP-5517/status/resource-claim-name-is-object-name
    @KEP-5517/status/chosen-node-values-are-used
    Scenario: A pod uses its request and its ResourceClaim if the CPU alternative is allocated
      Given a pod "next" with the container
        | container | request cpu |
        | main      | 1m          |
      When the cluster settles
      Then pod "fungible-pod" runs on node "node1"
      And pod "fungible-pod" records
        | claim                          | containers | takes cpu |
        | gpu-or-cpu of pod fungible-pod | my-app     | 30        |
      And pod "next" is pending

  Rule: Use case 3, CPUs and the auxiliary resources of a GPU

    Background:
      Given the devices
        | device | node  | attribute type | shared | capacity cpu | takes cpu | takes memory |
        | pool0  | node1 | string socket  | yes    | 128          | cpu       |              |
        | gpu0   | node1 | string gpu     |        |              | 2         | 4Gi          |
      And a claim "cpu-claim" with the request
        | request | class          | capacity cpu |
        | cpu     | cpu-mem-socket | 10           |
      And a claim "gpu-claim" requesting 1 device of class "gpu-class"
      And a pod "combined-dra-pod" with the containers
        | container | request cpu | request memory | claims               |
        | my-app1   | 100m        | 1Gi            | cpu-claim, gpu-claim |
        | my-app2   | 200m        | 2Gi            | cpu-claim, gpu-claim |

    @case:use-case-3-exact-fit
    @KEP-5517/accounting/use-case-3-native-plus-auxiliary @KEP-5517/status/entry-content
    @KEP-5517/node-fit/plugin-order-independent @KEP-5517/pod-footprint/one-helper-for-all-consumers
    Scenario: A pod with a CPU and a GPU ResourceClaim fits exactly, each ResourceClaim counted once
      Given a node "node1" with 12300m of "cpu" and 7Gi of "memory"
      When the cluster settles
      Then pod "combined-dra-pod" runs on node "node1"
      And pod "combined-dra-pod" records
        | claim     | containers       | takes cpu | takes memory |
        | cpu-claim | my-app1, my-app2 | 10        |              |
        | gpu-claim | my-app1, my-app2 | 2         | 4Gi          |
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 1m          |
      And the cluster settles
      Then pod "next" is pending

    @case:use-case-3-node-too-small
    @KEP-5517/accounting/use-case-3-native-plus-auxiliary @KEP-5517/node-fit/plugin-order-independent
    Scenario Outline: A pod with a CPU and a GPU ResourceClaim stays Pending on a node that is too small
      Given a node "node1" with <cpu> of "cpu" and <memory> of "memory"
      When the cluster settles
      Then pod "combined-dra-pod" is pending
      And claim "cpu-claim" is not allocated
      And claim "gpu-claim" is not allocated

      Examples:
        | cpu    | memory |
        | 12     | 7Gi    |
        | 12300m | 6Gi    |

  Rule: Use case 4, a pod-level request for a shared ResourceClaim and sidecars

    Background:
      Given the device
        | device | node  | attribute type | shared | capacity cpu | takes cpu |
        | pool0  | node1 | string socket  | yes    | 128          | cpu       |
      And a claim "cpu-req-10-cpus" with the request
        | request | class          | capacity cpu |
        | cpu     | cpu-mem-socket | 10           |
      And a pod "with-plr" with the containers
        | container           | claims          |
        | my-app1             | cpu-req-10-cpus |
        | my-app2             | cpu-req-10-cpus |
        | sidecar-container-1 |                 |
        | sidecar-container-2 |                 |

    @case:use-case-4-pod-level-request
    @KEP-5517/pod-level-resources/use-case-4-shared-claim-with-sidecars
    @KEP-5517/lifecycle/delete-releases-everything
    Scenario: A node is charged the pod-level request until the pod is deleted
      Given a node "node1" with 11 of "cpu" and 10Gi of "memory"
      And pod "with-plr" requests 11 of "cpu" and 10Gi of "memory" as a whole
      And a pod "next" with the container
        | container | request cpu |
        | main      | 11          |
      When the cluster settles
      Then pod "with-plr" runs on node "node1"
      And pod "with-plr" records
        | claim           | containers       | takes cpu |
        | cpu-req-10-cpus | my-app1, my-app2 | 10        |
      And pod "next" is pending
      When pod "with-plr" is deleted
      And the cluster settles
      Then pod "next" runs on node "node1"

    @case:use-case-4-budget-too-small
    @KEP-5517/pod-level-resources/use-case-4-shared-claim-with-sidecars
    @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable
    Scenario: A pod whose ResourceClaim exceeds the pod-level request stays Pending on a free node
      Given a node "node1" with 64 of "cpu" and 64Gi of "memory"
      And pod "with-plr" requests 9 of "cpu" and 10Gi of "memory" as a whole
      When the cluster settles
      Then pod "with-plr" is pending

  Rule: The additive example

    Background:
      Given the devices
        | device | node  | takes cpu |
        | four   | node1 | 4         |
        | two    | node1 | 2         |
      And a claim "claim-a" with the request
        | request | selector                                               |
        | r0      | device.driver == "dra.example.com"                     |
      And a claim "claim-b" requesting 1 device
      And a pod "pod-1" with the containers
        | container | request cpu | claims           |
        | c1        | 1           | claim-a, claim-b |
        | c2        | 2           | claim-a          |

    @case:additive-example
    @KEP-5517/accounting/several-claims-per-container-sum
    Scenario Outline: A pod runs only if the node has room for its requests and both ResourceClaims
      Given a node "node1" with <cpu> of "cpu"
      When the cluster settles
      Then pod "pod-1" <what>

      Examples:
        | cpu   | what       |
        | 9     | runs       |
        | 8999m | is pending |
