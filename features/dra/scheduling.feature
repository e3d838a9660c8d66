@profile:kep @profile:since-1.34
Feature: Pods and the claims they wait for
  A pod is assigned to a node that may run it and that has access to free devices for all of its claims. Until there
  is one, it is pending.

  Rule: A claim is there for the pods that name it

    Background:
      Given a node "node-1" with the labels
        | label                  | value  |
        | kubernetes.io/hostname | node-1 |
      And a node "node-2" with the labels
        | label                  | value  |
        | kubernetes.io/hostname | node-2 |
      And the devices
        | device | node   |
        | gpu-0  | node-2 |

    @DRA/claim/shared-by-several-pods @DRA/claim/referencing-generated-claim
    Scenario: Pods that name one claim share its device, and others than on its node do not run
      Given a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "c"
      And a pod "r" that uses claim "c"
      When the Pod "p" is created
      And the Pod "q" is created
      And the cluster settles
      Then pod "p" runs on node "node-2"
      And pod "q" runs on node "node-2"
      And claim "c" gets 1 device
      And claim "c" is reserved for pods "p, q"
      When the Pod "r" is created with
        | field             | value                            |
        | spec.nodeSelector | {kubernetes.io/hostname: node-1} |
      And the cluster settles
      Then pod "r" is pending
      And claim "c" is reserved for pods "p, q"

    @DRA/claim/shared-by-containers
    Scenario: Two containers of a pod that use one claim have one device
      Given a claim "c" requesting 1 device
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          resourceClaims: [{name: gpu, resourceClaimName: c}]
          containers:
          - {name: first, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}
          - {name: second, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}
        """
      And the cluster settles
      Then pod "p" runs
      And claim "c" gets 1 device
      And claim "c" is reserved for pod "p"

    @DRA/claim/must-exist-in-pod-namespace @DRA/workflow/missing-claim-blocks-pod
    Scenario: A pod whose claim is in another namespace waits until there is one in its own
      Given a claim "other/c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And the Pod "p" has
        | field         | value |
        | spec.nodeName | null  |
      And claim "other/c" is not allocated
      When a claim "c" requesting 1 device is created
      And the cluster settles
      Then pod "p" runs
      And claim "other/c" is not allocated

    @DRA/workflow/missing-claim-blocks-pod
    Scenario: All pods of a workload wait for the claim that they share
      Given a pod "p" that uses claim "c"
      And a pod "q" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And pod "q" is pending
      When a claim "c" requesting 1 device is created
      And the cluster settles
      Then pod "p" runs
      And pod "q" runs

    @DRA/workflow/missing-claim-blocks-pod
    Scenario: A claim that is being deleted serves the pod that has it, and no other
      Given a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When claim "c" is deleted
      And a pod "q" that uses claim "c" is created
      And the cluster settles
      Then pod "q" is pending
      And claim "c" is reserved for pod "p"

    @DRA/workflow/missing-claim-blocks-pod
    Scenario: A pod with one claim that exists and one that does not gets nothing
      Given a claim "c" requesting 1 device
      And a pod "p" that uses claims "c, d"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

    @DRA/claim/no-quantities-in-pod-resources
    Scenario: The claim says how many devices a pod gets, not the pod
      Given the devices
        | device | node   | pool |
        | gpu-1  | node-2 | more |
      And a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      And the Pod "p" has
        | field                                 | value |
        | spec.containers[0].resources.requests | null  |
        | spec.containers[0].resources.limits   | null  |
      And claim "c" gets 2 devices

    @DRA/claim/referencing-generated-claim
    Scenario: A claim generated for one pod serves another that names it, and goes with its own pod
      Given a template "t" requesting 1 device
      And a pod "p" that uses the template "t" as "gpu"
      And a pod "q" that uses claim "c"
      When the Pod "p" is created
      And the cluster settles
      Then pod "p" runs on node "node-2"
      When the Pod "q" is created with
        | field                                    | value                                                                |
        | spec.resourceClaims[0].resourceClaimName | {$name: {kind: ResourceClaim, forPod: default/p, entry: gpu}} |
      And the cluster settles
      Then pod "q" runs on node "node-2"
      And claim "gpu of pod p" is reserved for pods "p, q"
      When pod "q" is deleted
      And pod "p" is deleted
      And the cluster settles
      Then the ResourceClaim "gpu of pod p" does not exist

  Rule: Pods of a template have devices of their own

    @DRA/template/separate-similar-devices
    Scenario: Two of three pods of a template run on two devices, the third when another device is there
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a template "t" requesting 1 device
      And a pod "p" that uses the template "t" as "gpu"
      And a pod "q" that uses the template "t" as "gpu"
      And a pod "r" that uses the template "t" as "gpu"
      When the Pod "p" is created
      And the Pod "q" is created
      And the cluster settles
      Then pod "p" runs
      And pod "q" runs
      When the Pod "r" is created
      And the cluster settles
      Then pod "r" is pending
      And claim "gpu of pod r" is not allocated
      When the driver publishes the devices
        | device |
        | gpu-0  |
        | gpu-1  |
        | gpu-2  |
      And the cluster settles
      Then pod "r" runs
      And claim "gpu of pod r" gets exactly
        | device |
        | gpu-2  |

  Rule: The node must suit the pod, and have free devices for its claims

    @DRA/node-access/node-must-suit-pod @DRA/workflow/filter-criteria
    Scenario: A device on a cordoned node is not for pods, until the node is schedulable again
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: true}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2}}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated
      When the Node "n1" is updated with
        | field              | value |
        | spec.unschedulable | null  |
      And the cluster settles
      Then pod "p" runs on node "n1"

    @DRA/node-access/node-must-suit-pod
    Scenario Outline: A pod that tolerates <tolerated> <outcome> the device of a cordoned node
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: true}}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field            | value        |
        | spec.tolerations | [<tolerated>] |
      And the cluster settles
      Then pod "p" <state>

      Examples: It tolerates that the node is unschedulable
        | outcome  | tolerated                                                                      | state             |
        | gets     | {key: node.kubernetes.io/unschedulable, operator: Exists, effect: NoSchedule} | runs on node "n1" |
        | gets     | {operator: Exists}                                                             | runs on node "n1" |

      Examples: It tolerates something else
        | outcome       | tolerated                                                                     | state      |
        | does not get  | {key: node.kubernetes.io/unschedulable, operator: Exists, effect: NoExecute} | is pending |
        | does not get  | {key: node.kubernetes.io/not-ready, operator: Exists}                        | is pending |

    @API/pod/scheduler
    Scenario Outline: A pod that names <scheduler> <what>
      Given the device
        | device |
        | gpu-0  |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field              | value       |
        | spec.schedulerName | <scheduler> |
      And the cluster settles
      Then pod "p" <what>

      Examples:
        | scheduler         | what       |
        | default-scheduler | runs       |
        | another-scheduler | is pending |

    @DRA/node-access/node-must-suit-pod
    Scenario: A pod of 8 CPUs gets its device on the node that has 8, not on the one that has 4
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4"}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "8"}}}
        """
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-1  | n2   | n2   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 8     |
      And the cluster settles
      Then pod "p" runs on node "n2"
      And claim "c" gets exactly
        | device |
        | gpu-1  |

    @DRA/node-access/node-must-suit-pod
    Scenario: A pod of 8 CPUs does not run where only a node with 4 has the device
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4"}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "8"}}}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 8     |
      And the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

    @DRA/node-access/node-must-suit-pod
    Scenario: A pod waits for 2 CPUs that another pod takes from the node of the device
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4"}}}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a claim "c" requesting 1 device
      And a pod "p" without claims
      And a pod "q" that uses claim "c"
      When the Pod "p" is created with
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 3     |
      And the cluster settles
      Then pod "p" runs
      When the Pod "q" is created with
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 2     |
      And the cluster settles
      Then pod "q" is pending
      When pod "p" finishes
      And the cluster settles
      Then pod "q" runs

    @DRA/node-access/node-must-suit-pod
    Scenario: A taint that only makes a node less welcome keeps no pod from the device there
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [{key: busy, effect: PreferNoSchedule}]}}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs on node "n1"

    @DRA/workflow/unmet-request-waits
    Scenario: A pod whose scheduling is gated gets its device when the gate is taken away, and not before
      Given the devices
        | device |
        | gpu-0  |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field                | value                    |
        | spec.schedulingGates | [{name: example.com/go}] |
      And the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated
      When the Pod "p" is updated with
        | field                | value |
        | spec.schedulingGates | null  |
      And the cluster settles
      Then pod "p" runs

    @DRA/workflow/unmet-request-waits
    Scenario: A pod that is on its way out when its device comes does not get it
      Given a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field               | value              |
        | metadata.finalizers | [example.com/hold] |
      And the cluster settles
      Then pod "p" is pending
      When pod "p" is deleted
      And the driver publishes the device
        | device |
        | gpu-0  |
      And the cluster settles
      Then the Pod "p" has
        | field         | value |
        | spec.nodeName | null  |
      And claim "c" is not allocated

    @DRA/workflow/unmet-request-waits
    Scenario Outline: A pod that is <phase> before its device comes does not get it
      Given a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      When pod "p" <ends>
      And the driver publishes the device
        | device |
        | gpu-0  |
      And the cluster settles
      Then the Pod "p" has
        | field         | value   |
        | spec.nodeName | null    |
        | status.phase  | <phase> |
      And claim "c" is not allocated

      Examples:
        | phase     | ends     |
        | Failed    | fails    |
        | Succeeded | finishes |

    @DRA/workflow/unmet-request-waits
    Scenario: Of two pods that differ only in what their templates ask for, one is served by the only device
      Given the devices
        | device |
        | gpu-0  |
      And a template "two" requesting 2 devices
      And a template "one" requesting 1 device
      And a pod "p" that uses the template "two" as "gpu"
      And a pod "q" that uses the template "one" as "gpu"
      When the cluster settles
      Then pod "p" is pending
      And pod "q" runs

    @DRA/node-access/node-must-suit-pod
    Scenario: A pod that does not tolerate the taint of the node with the device is pending
      Given the objects
        """
        apiVersion: v1
        kind: Node
        metadata: {name: n1}
        spec: {taints: [{key: gpu-only, effect: NoSchedule}]}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a claim "c" requesting 1 device
      And a claim "d" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "d"
      When the Pod "p" is created
      And the cluster settles
      Then pod "p" is pending
      When the Pod "q" is created with
        | field            | value                                |
        | spec.tolerations | [{key: gpu-only, operator: Exists}] |
      And the cluster settles
      Then pod "q" runs on node "n1"
      And pod "p" is pending

    @DRA/node-access/node-must-suit-pod
    Scenario Outline: On a node with two taints a pod that tolerates <tolerated> <state>
      Given the objects
        """
        apiVersion: v1
        kind: Node
        metadata: {name: n1}
        spec: {taints: [{key: gpu-only, effect: NoSchedule}, {key: tests, effect: NoSchedule}]}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field            | value         |
        | spec.tolerations | <tolerations> |
      And the cluster settles
      Then pod "p" <state>

      Examples:
        | tolerated       | tolerations                                                            | state             |
        | the first only  | [{key: gpu-only, operator: Exists}]                                    | is pending        |
        | the second only | [{key: tests, operator: Exists}]                                       | is pending        |
        | both            | [{key: gpu-only, operator: Exists}, {key: tests, operator: Exists}]    | runs on node "n1" |

    @DRA/node-access/node-must-suit-pod
    Scenario Outline: A pod that selects two labels and the node with the device has <labels>: it <state>
      Given a node "n1" with the labels
        | label | value  |
        | zone  | <zone> |
        | disk  | <disk> |
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field             | value                |
        | spec.nodeSelector | {zone: a, disk: ssd} |
      And the cluster settles
      Then pod "p" <state>

      Examples:
        | labels          | zone | disk | state             |
        | both            | a    | ssd  | runs on node "n1" |
        | the zone only   | a    | hdd  | is pending        |
        | the disk only   | b    | ssd  | is pending        |

    @DRA/node-access/node-must-suit-pod
    Scenario: Required node affinity keeps a pod from the node with the device
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | b     |
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field                                                            | value                                                                                          |
        | spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution | {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [b]}]}]} |
      And the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

    @DRA/workflow/filter-criteria
    Scenario: A free device on a node that does not suit and a used one on a node that does are none, a third is one
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | b     |
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-1  | n2   | n2   |
      And claim "held" already holds
        | device | pool |
        | gpu-1  | n2   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field             | value     |
        | spec.nodeSelector | {zone: b} |
      And the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated
      When this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: more}
        spec:
          driver: dra.example.com
          nodeName: n2
          pool: {name: more, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-2}]
        """
      And the cluster settles
      Then pod "p" runs on node "n2"
      And claim "c" gets exactly
        | device |
        | gpu-2  |

    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: A pod whose claims fit on different nodes only gets none of them
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool | attribute size |
        | gpu-0  | n1   | n1   | string small   |
        | gpu-1  | n2   | n2   | string large   |
      And a claim "small" with the request
        | selector                                             |
        | device.attributes["dra.example.com"].size == "small" |
      And a claim "large" with the request
        | selector                                             |
        | device.attributes["dra.example.com"].size == "large" |
      And a pod "p" that uses claims "small, large"
      When the cluster settles
      Then pod "p" is pending
      And claim "small" is not allocated
      And claim "large" is not allocated

    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Both claims of a pod are allocated on the one node that has devices for both
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-1  | n2   | n2   |
        | gpu-2  | n2   | n2   |
      And a claim "a" requesting 1 device
      And a claim "b" requesting 1 device
      And a pod "p" that uses claims "a, b"
      When the cluster settles
      Then pod "p" runs on node "n2"
      And claim "a" is reserved for pod "p"
      And claim "b" is reserved for pod "p"

    @DRA/workflow/pod-lands-where-device-is
    Scenario: A pod waits for the node of a claim that is allocated rather than run on another
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4"}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "4"}}}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "c"
      When the Pod "p" is created with
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 3     |
      And the cluster settles
      Then pod "p" runs on node "n1"
      When the Pod "q" is created with
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 2     |
      And the cluster settles
      Then pod "q" is pending
      And claim "c" is reserved for pod "p"
      When pod "p" is deleted
      And the cluster settles
      Then pod "q" runs on node "n1"

    @DRA/workflow/pod-lands-where-device-is
    Scenario Outline: A pod that uses the claims <claims> runs where d is allocated, though there is a device for c elsewhere
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool   | driver          |
        | gpu-0  | n1   | pool-1 | gpu.example.com |
        | gpu-1  | n2   | pool-2 | gpu.example.com |
        | nic-0  | n2   | nics   | nic.example.com |
      And a device class "gpu" that selects
        """
        device.driver == "gpu.example.com"
        """
      And a device class "nic" that selects
        """
        device.driver == "nic.example.com"
        """
      And a claim "c" requesting 1 device of class "gpu"
      And a claim "d" requesting 1 device of class "nic"
      And a pod "q" that uses claim "d"
      And a pod "p" that uses claims "<claims>"
      When the Pod "q" is created
      And the cluster settles
      Then pod "q" runs on node "n2"
      When the Pod "p" is created
      And the cluster settles
      Then pod "p" runs on node "n2"
      And claim "d" is reserved for pods "p, q"
      And claim "c" gets exactly
        | device |
        | gpu-1  |

      Examples:
        | claims |
        | c, d   |
        | d, c   |

    @DRA/workflow/pod-lands-where-device-is
    Scenario: A claim that nobody uses, allocated where no node is, is allocated anew for its pod
      Given the device
        | device |
        | gpu-0  |
      And a device class "any"
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation:
            devices: {results: [{request: r0, driver: dra.example.com, pool: gone, device: gone}]}
            nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [gone]}]}]}
        """
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      And claim "c" gets exactly
        | device |
        | gpu-0  |

  Rule: A pod is bound once its devices are ready

    @DRA/workflow/allocation-identifies-device @DRA/workflow/allocation-written-before-binding
    Scenario: Devices whose preparation failed are given back, and so is what was reported of them
      Given the devices
        | device | binding  | failure |
        | gpu-0  | attached | broken  |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And the Pod "p" has
        | field         | value |
        | spec.nodeName | null  |
      And claim "c" is reserved for pod "p"
      When the status of the ResourceClaim "c" is updated with
        | field          | value                                                                                                                                                                                     |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: gpu-0, conditions: [{type: broken, status: "True", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}] |
      And the cluster settles
      Then the ResourceClaim "c" has
        | field          | value |
        | status.devices | null  |
      And pod "p" is pending

  Rule: A pod that gets nothing is tried again when something has changed

    @DRA/workflow/unmet-request-waits
    Scenario: A pending pod runs once a driver publishes a device
      Given a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      When the driver publishes the device
        | device |
        | gpu-0  |
      And the cluster settles
      Then pod "p" runs

    @DRA/workflow/unmet-request-waits
    Scenario: A pending pod runs once the pod that uses the device is deleted
      Given the device
        | device |
        | gpu-0  |
      And a claim "c" requesting 1 device
      And a claim "d" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "d"
      When the Pod "p" is created
      And the cluster settles
      Then pod "p" runs
      When the Pod "q" is created
      And the cluster settles
      Then pod "q" is pending
      When pod "p" is deleted
      And the cluster settles
      Then pod "q" runs
      And claim "c" is not allocated

    @DRA/workflow/unmet-request-waits
    Scenario: A pending pod runs once a claim that nobody uses is deleted
      Given the device
        | device |
        | gpu-0  |
      And claim "held" already holds
        | device |
        | gpu-0  |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      When claim "held" is deleted
      And the cluster settles
      Then pod "p" runs

  Rule: Of the nodes on which alternatives fit, the one with the better alternative is preferred

    @DRA/prioritized-list/node-choice
    Scenario: A pod goes to the node that has its first alternative, not to the node with the second
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool | attribute color |
        | white  | n1   | n1   | string white    |
        | black  | n2   | n2   | string black    |
      And a claim "c" with the requests
        | request | subrequest | selector                                              |
        | cat     | best       | device.attributes["dra.example.com"].color == "black" |
        | cat     | fallback   | device.attributes["dra.example.com"].color == "white" |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs on node "n2"
      And claim "c" gets exactly
        | request  | device |
        | cat/best | black  |
      But in Kubernetes 1.34, because this release does not compare nodes by the alternatives they give: claim "c" is allocated

    @DRA/prioritized-list/node-choice
    Scenario: A pod that must go to one node gets the best alternative there
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2"
      And the devices
        | device | node | pool | attribute color |
        | white  | n1   | n1   | string white    |
        | black  | n2   | n2   | string black    |
      And a claim "c" with the requests
        | request | subrequest | selector                                              |
        | cat     | best       | device.attributes["dra.example.com"].color == "black" |
        | cat     | fallback   | device.attributes["dra.example.com"].color == "white" |
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field             | value     |
        | spec.nodeSelector | {zone: a} |
      And the cluster settles
      Then claim "c" gets exactly
        | request      | device |
        | cat/fallback | white  |
