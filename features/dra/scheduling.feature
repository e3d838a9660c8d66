@profile:since-1.34
Feature: Scheduling of pods with ResourceClaims
  A pod is assigned to a node that can run it and that can access available devices for all of its
  ResourceClaims. Until there is such a node, the pod stays Pending.

  @profile:kep
  Rule: References to ResourceClaims

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

    @case:several-pods-one-claim
    @DRA/claim/shared-by-several-pods @DRA/workflow/pod-lands-where-device-is
    Scenario: Pods that share a ResourceClaim use the same device and run only on its node
      Given a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "c"
      And a pod "r" that uses ResourceClaim "c"
      When pod "p" is created
      And pod "q" is created
      And the cluster reaches a steady state
      Then pod "p" is Running on node "node-2"
      And pod "q" is Running on node "node-2"
      And ResourceClaim "c" is allocated 1 device
      And ResourceClaim "c" is reserved for pods "p, q"
      When pod "r" is created with
        | field             | value                            |
        | spec.nodeSelector | {kubernetes.io/hostname: node-1} |
      And the cluster reaches a steady state
      Then pod "r" is Pending
      And ResourceClaim "c" is reserved for pods "p, q"

    @case:two-containers-one-claim
    @DRA/claim/shared-by-containers
    Scenario: Two containers of a pod use the same device through one ResourceClaim
      Given a ResourceClaim "c" requesting 1 device
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
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" is allocated 1 device
      And ResourceClaim "c" is reserved for pod "p"

    @case:claim-in-other-namespace
    @DRA/claim/must-exist-in-pod-namespace @DRA/workflow/missing-claim-blocks-pod
    Scenario: A pod stays Pending until its ResourceClaim exists in the namespace of the pod
      Given a ResourceClaim "other/c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "p" has
        | field         | value |
        | spec.nodeName | null  |
      And ResourceClaim "other/c" is not allocated
      When a ResourceClaim "c" requesting 1 device is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "other/c" is not allocated

    @case:all-pods-wait-for-claim
    @DRA/workflow/missing-claim-blocks-pod
    Scenario: All pods of a workload stay Pending until the ResourceClaim that they reference exists
      Given a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "q" is Pending
      When a ResourceClaim "c" requesting 1 device is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running

    @case:claim-being-deleted
    @API/reservation/deleted
    Scenario: A ResourceClaim that is being deleted cannot be used by another pod
      Given a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When ResourceClaim "c" is deleted
      And a pod "q" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then pod "q" is Pending
      And ResourceClaim "c" is reserved for pod "p"

    @case:one-of-two-claims-missing
    @DRA/workflow/missing-claim-blocks-pod
    Scenario: No ResourceClaim of a pod is allocated if one of its ResourceClaims does not exist
      Given a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaims "c, d"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

    @case:count-in-claim-not-pod
    @DRA/claim/no-quantities-in-pod-resources
    Scenario: A pod's ResourceClaim determines the number of devices, not its container resources
      Given the devices
        | device | node   | pool |
        | gpu-1  | node-2 | more |
      And a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has
        | field                                 | value |
        | spec.containers[0].resources.requests | null  |
        | spec.containers[0].resources.limits   | null  |
      And ResourceClaim "c" is allocated 2 devices

    @case:generated-claim-of-other-pod
    @DRA/claim/referencing-generated-claim
    Scenario: A generated ResourceClaim can be used by a second pod and is deleted with its owner pod
      Given a ResourceClaimTemplate "t" requesting 1 device
      And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
      And a pod "q" that uses ResourceClaim "c"
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" is Running on node "node-2"
      When pod "q" is created with
        | field                                    | value                                                                |
        | spec.resourceClaims[0].resourceClaimName | {$name: {kind: ResourceClaim, forPod: default/p, entry: gpu}} |
      And the cluster reaches a steady state
      Then pod "q" is Running on node "node-2"
      And ResourceClaim "gpu of pod p" is reserved for pods "p, q"
      When pod "q" is deleted
      And pod "p" is deleted
      And the cluster reaches a steady state
      Then ResourceClaim "gpu of pod p" does not exist

  @profile:kep
  Rule: Pods of one ResourceClaimTemplate

    @case:own-device-for-each-pod
    @DRA/template/separate-similar-devices
    Scenario: Each pod that uses a ResourceClaimTemplate is allocated its own device or stays Pending
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a ResourceClaimTemplate "t" requesting 1 device
      And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
      And a pod "q" that uses the ResourceClaimTemplate "t" as "gpu"
      And a pod "r" that uses the ResourceClaimTemplate "t" as "gpu"
      When pod "p" is created
      And pod "q" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running
      When pod "r" is created
      And the cluster reaches a steady state
      Then pod "r" is Pending
      And ResourceClaim "gpu of pod r" is not allocated
      When the driver publishes the devices
        | device |
        | gpu-0  |
        | gpu-1  |
        | gpu-2  |
      And the cluster reaches a steady state
      Then pod "r" is Running
      And ResourceClaim "gpu of pod r" is allocated exactly
        | device |
        | gpu-2  |

  @profile:kep
  Rule: Suitable nodes and available devices

    @case:cordoned-node
    @DRA/node-access/node-must-suit-pod @DRA/workflow/filter-criteria
    Scenario: A device of a cordoned node is not allocated until the node is schedulable again
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: true}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2}}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated
      When node "n1" is updated with
        | field              | value |
        | spec.unschedulable | null  |
      And the cluster reaches a steady state
      Then pod "p" is Running on node "n1"

    @case:restart-with-node-cordoned
    @DRA/node-access/node-must-suit-pod
    Scenario: A Pending pod is not bound to a node that is cordoned before the scheduler restarts
      Given a node "node-1"
      And a node "node-2"
      And the device
        | device | bindingConditions     | bindingFailureConditions |
        | gpu-0  | attached, initialized | broken                   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then ResourceClaim "c" is allocated exactly
        | device |
        | gpu-0  |
      When node "node-1" is updated with
        | field              | value |
        | spec.unschedulable | true  |
      And the scheduler restarts
      And the status of ResourceClaim "c" is patched with
        """
        status:
          devices:
          - driver: dra.example.com
            pool: pool-1
            device: gpu-0
            conditions:
            - {type: attached, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
            - {type: initialized, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
        """
      And the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "p" has
        | field         | value |
        | spec.nodeName | null  |

    @case:pod-tolerates-cordon
    @DRA/node-access/node-must-suit-pod
    Scenario Outline: A pod is allocated the device of a cordoned node only if it tolerates the cordon taint
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: true}}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field            | value        |
        | spec.tolerations | [<tolerated>] |
      And the cluster reaches a steady state
      Then pod "p" <state>

      Examples: tolerations of the cordon taint
        | outcome | tolerated                                                                     | state                   |
        | gets    | {key: node.kubernetes.io/unschedulable, operator: Exists, effect: NoSchedule} | is Running on node "n1" |
        | gets    | {operator: Exists}                                                            | is Running on node "n1" |

      Examples: other tolerations
        | outcome      | tolerated                                                                    | state      |
        | does not get | {key: node.kubernetes.io/unschedulable, operator: Exists, effect: NoExecute} | is Pending |
        | does not get | {key: node.kubernetes.io/not-ready, operator: Exists}                        | is Pending |

    @case:scheduler-name
    @API/pod/scheduler
    Scenario Outline: Only a pod with schedulerName default-scheduler is scheduled
      Given the device
        | device |
        | gpu-0  |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field              | value       |
        | spec.schedulerName | <scheduler> |
      And the cluster reaches a steady state
      Then pod "p" <what>

      Examples:
        | scheduler         | what       |
        | default-scheduler | is Running |
        | another-scheduler | is Pending |

    @case:cpu-decides-node
    @DRA/node-access/node-must-suit-pod
    Scenario: A pod is allocated the device of the node that has enough CPU
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
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 8     |
      And the cluster reaches a steady state
      Then pod "p" is Running on node "n2"
      And ResourceClaim "c" is allocated exactly
        | device |
        | gpu-1  |

    @case:cpu-only-elsewhere
    @DRA/node-access/node-must-suit-pod
    Scenario: A pod stays Pending if the only node with a device has too little CPU
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4"}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "8"}}}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 8     |
      And the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

    @case:cpu-used-by-other-pod
    @DRA/node-access/node-must-suit-pod
    Scenario: A pod stays Pending until another pod frees CPU on the node with the device
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4"}}}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" without ResourceClaims
      And a pod "q" that uses ResourceClaim "c"
      When pod "p" is created with
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 3     |
      And the cluster reaches a steady state
      Then pod "p" is Running
      When pod "q" is created with
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 2     |
      And the cluster reaches a steady state
      Then pod "q" is Pending
      When pod "p" finishes
      And the cluster reaches a steady state
      Then pod "q" is Running

    @case:prefer-no-schedule-node
    @DRA/node-access/node-must-suit-pod
    Scenario: A PreferNoSchedule taint of a node does not prevent the allocation of its device
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [{key: busy, effect: PreferNoSchedule}]}}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running on node "n1"

    @case:scheduling-gate
    @DRA/workflow/only-pods-to-schedule
    Scenario: A gated pod is allocated its device only after the scheduling gate is removed
      Given the devices
        | device |
        | gpu-0  |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field                | value                    |
        | spec.schedulingGates | [{name: example.com/go}] |
      And the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated
      When pod "p" is updated with
        | field                | value |
        | spec.schedulingGates | null  |
      And the cluster reaches a steady state
      Then pod "p" is Running

    @case:pod-deleted-before-device
    @DRA/workflow/only-pods-to-schedule
    Scenario: A pod that is being deleted is not allocated a device that is published later
      Given a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field               | value              |
        | metadata.finalizers | [example.com/hold] |
      And the cluster reaches a steady state
      Then pod "p" is Pending
      When pod "p" is deleted
      And the driver publishes the device
        | device |
        | gpu-0  |
      And the cluster reaches a steady state
      Then pod "p" has
        | field         | value |
        | spec.nodeName | null  |
      And ResourceClaim "c" is not allocated

    @case:pod-done-before-device
    @DRA/workflow/only-pods-to-schedule
    Scenario Outline: A completed pod is not allocated a device that is published later
      Given a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      When pod "p" <ends>
      And the driver publishes the device
        | device |
        | gpu-0  |
      And the cluster reaches a steady state
      Then pod "p" has
        | field         | value   |
        | spec.nodeName | null    |
        | status.phase  | <phase> |
      And ResourceClaim "c" is not allocated

      Examples:
        | phase     | ends     |
        | Failed    | fails    |
        | Succeeded | finishes |

    @case:templates-with-different-counts
    @DRA/workflow/unmet-request-waits
    Scenario: A pod that requests one device runs while a pod that requests two stays Pending
      Given the devices
        | device |
        | gpu-0  |
      And a ResourceClaimTemplate "two" requesting 2 devices
      And a ResourceClaimTemplate "one" requesting 1 device
      And a pod "p" that uses the ResourceClaimTemplate "two" as "gpu"
      And a pod "q" that uses the ResourceClaimTemplate "one" as "gpu"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "q" is Running

    @case:node-taint-not-tolerated
    @DRA/node-access/node-must-suit-pod
    Scenario: A pod that does not tolerate the taint of the node with the device stays Pending
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
      And a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "d" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" is Pending
      When pod "q" is created with
        | field            | value                                |
        | spec.tolerations | [{key: gpu-only, operator: Exists}] |
      And the cluster reaches a steady state
      Then pod "q" is Running on node "n1"
      And pod "p" is Pending

    @case:two-node-taints
    @DRA/node-access/node-must-suit-pod
    Scenario Outline: A pod is allocated the device of a node with two taints only if the pod tolerates both
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
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field            | value         |
        | spec.tolerations | <tolerations> |
      And the cluster reaches a steady state
      Then pod "p" <state>

      Examples:
        | tolerated       | tolerations                                                         | state                   |
        | the first only  | [{key: gpu-only, operator: Exists}]                                 | is Pending              |
        | the second only | [{key: tests, operator: Exists}]                                    | is Pending              |
        | both            | [{key: gpu-only, operator: Exists}, {key: tests, operator: Exists}] | is Running on node "n1" |

    @case:node-selector-two-labels
    @DRA/node-access/node-must-suit-pod
    Scenario Outline: A pod is allocated the device of a node only if the node has both nodeSelector labels
      Given a node "n1" with the labels
        | label | value  |
        | zone  | <zone> |
        | disk  | <disk> |
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field             | value                |
        | spec.nodeSelector | {zone: a, disk: ssd} |
      And the cluster reaches a steady state
      Then pod "p" <state>

      Examples:
        | labels        | zone | disk | state                   |
        | both          | a    | ssd  | is Running on node "n1" |
        | the zone only | a    | hdd  | is Pending              |
        | the disk only | b    | ssd  | is Pending              |

    @case:required-node-affinity
    @DRA/node-access/node-must-suit-pod
    Scenario: A pod stays Pending if required node affinity excludes the node with the device
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | b     |
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field                                                            | value                                                                                          |
        | spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution | {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [b]}]}]} |
      And the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

    @case:suitable-node-needs-free-device
    @DRA/workflow/filter-criteria
    Scenario: A pod stays Pending if the only free device is on a node that nodeSelector excludes
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
      And ResourceClaim "held" is already allocated
        | device | pool |
        | gpu-1  | n2   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field             | value     |
        | spec.nodeSelector | {zone: b} |
      And the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated
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
      And the cluster reaches a steady state
      Then pod "p" is Running on node "n2"
      And ResourceClaim "c" is allocated exactly
        | device |
        | gpu-2  |

    @case:claims-fit-on-different-nodes
    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: No ResourceClaim is allocated if the ResourceClaims of a pod fit only on different nodes
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool | attribute size |
        | gpu-0  | n1   | n1   | string small   |
        | gpu-1  | n2   | n2   | string large   |
      And a ResourceClaim "small" with the request
        | selector                                             |
        | device.attributes["dra.example.com"].size == "small" |
      And a ResourceClaim "large" with the request
        | selector                                             |
        | device.attributes["dra.example.com"].size == "large" |
      And a pod "p" that uses ResourceClaims "small, large"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "small" is not allocated
      And ResourceClaim "large" is not allocated

    @case:only-node-for-both-claims
    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Both ResourceClaims of a pod are allocated on the only node with a device for each
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-1  | n2   | n2   |
        | gpu-2  | n2   | n2   |
      And a ResourceClaim "a" requesting 1 device
      And a ResourceClaim "b" requesting 1 device
      And a pod "p" that uses ResourceClaims "a, b"
      When the cluster reaches a steady state
      Then pod "p" is Running on node "n2"
      And ResourceClaim "a" is reserved for pod "p"
      And ResourceClaim "b" is reserved for pod "p"

    @case:wait-for-node-of-claim
    @DRA/workflow/pod-lands-where-device-is
    Scenario: A pod stays Pending until the node of its allocated ResourceClaim has enough CPU
      Given the objects
        """
        {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4"}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "4"}}}
        """
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "c"
      When pod "p" is created with
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 3     |
      And the cluster reaches a steady state
      Then pod "p" is Running on node "n1"
      When pod "q" is created with
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 2     |
      And the cluster reaches a steady state
      Then pod "q" is Pending
      And ResourceClaim "c" is reserved for pod "p"
      When pod "p" is deleted
      And the cluster reaches a steady state
      Then pod "q" is Running on node "n1"

    @case:follow-allocated-claim
    @DRA/workflow/pod-lands-where-device-is
    Scenario Outline: A pod with one allocated ResourceClaim gets the device of its second claim on that node
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool   | driver          |
        | gpu-0  | n1   | pool-1 | gpu.example.com |
        | gpu-1  | n2   | pool-2 | gpu.example.com |
        | nic-0  | n2   | nics   | nic.example.com |
      And a DeviceClass "gpu" with the selector
        """
        device.driver == "gpu.example.com"
        """
      And a DeviceClass "nic" with the selector
        """
        device.driver == "nic.example.com"
        """
      And a ResourceClaim "c" requesting 1 device of class "gpu"
      And a ResourceClaim "d" requesting 1 device of class "nic"
      And a pod "q" that uses ResourceClaim "d"
      And a pod "p" that uses ResourceClaims "<claims>"
      When pod "q" is created
      And the cluster reaches a steady state
      Then pod "q" is Running on node "n2"
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" is Running on node "n2"
      And ResourceClaim "d" is reserved for pods "p, q"
      And ResourceClaim "c" is allocated exactly
        | device |
        | gpu-1  |

      Examples:
        | claims |
        | c, d   |
        | d, c   |

    @case:third-claim-does-not-fit
    @DRA/workflow/all-claims-of-a-pod-together
    Scenario Outline: A pod with an allocated ResourceClaim is allocated none of two others if only one fits
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "d" requesting 1 device
      And a ResourceClaim "e" requesting 1 device
      And ResourceClaim "c" is already allocated
        | device |
        | gpu-1  |
      And a pod "p" that uses ResourceClaims "<claims>"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "d" is not allocated
      And ResourceClaim "e" is not allocated

      Examples:
        | claims  |
        | c, d, e |
        | d, c, e |
        | d, e, c |

    @case:allocation-without-node
    @DRA/workflow/pod-lands-where-device-is
    Scenario: An allocation that fits no node does not use up a device of another node
      Given the device
        | device |
        | gpu-0  |
      And a DeviceClass "any"
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
      And a pod "p" that uses ResourceClaim "c"
      And a ResourceClaim "d" requesting 1 device of class "any"
      When the cluster reaches a steady state
      Then since Kubernetes 1.34, because the document does not say when the scheduler deallocates a ResourceClaim: pod "p" is Running
      And since Kubernetes 1.34, because the document does not say when the scheduler deallocates a ResourceClaim: ResourceClaim "c" is allocated exactly
        | device |
        | gpu-0  |
      When pod "p" is deleted
      And ResourceClaim "c" is deleted
      And a pod "q" that uses ResourceClaim "d" is created
      And the cluster reaches a steady state
      Then pod "q" is Running on node "node-1"

  Rule: Deallocation after a failed binding condition

    @case:failed-binding-deallocates
    @API/binding/failure
    Scenario: A failed binding condition deallocates the ResourceClaim and clears its device status
      Given the devices
        | device | bindingConditions | bindingFailureConditions |
        | gpu-0  | attached          | broken                   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "p" has
        | field         | value |
        | spec.nodeName | null  |
      And ResourceClaim "c" is reserved for pod "p"
      When the status of ResourceClaim "c" is updated with
        | field          | value                                                                                                                                                                                     |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: gpu-0, conditions: [{type: broken, status: "True", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}] |
      And the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" has
        | field          | value |
        | status.devices | null  |

  @profile:kep
  Rule: Retries of Pending pods

    @case:device-published
    @DRA/workflow/unmet-request-waits
    Scenario: A Pending pod runs once the driver publishes a device
      Given a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      When the driver publishes the device
        | device |
        | gpu-0  |
      And the cluster reaches a steady state
      Then pod "p" is Running

    @case:pod-with-device-deleted
    @DRA/workflow/unmet-request-waits
    Scenario: A Pending pod runs once the pod that uses the device is deleted
      Given the device
        | device |
        | gpu-0  |
      And a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "d" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      When pod "q" is created
      And the cluster reaches a steady state
      Then pod "q" is Pending
      When pod "p" is deleted
      And the cluster reaches a steady state
      Then pod "q" is Running
      And ResourceClaim "c" is not allocated

    @case:unused-claim-deleted
    @DRA/workflow/unmet-request-waits
    Scenario: A Pending pod runs once an allocated ResourceClaim that no pod uses is deleted
      Given the device
        | device |
        | gpu-0  |
      And ResourceClaim "held" is already allocated
        | device |
        | gpu-0  |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      When ResourceClaim "held" is deleted
      And the cluster reaches a steady state
      Then pod "p" is Running

  @profile:kep
  Rule: Prioritized lists and the choice of a node

    @case:node-with-first-choice
    @DRA/prioritized-list/node-choice
    Scenario: A pod is scheduled to the node with a device for the first subrequest
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool | attribute color |
        | white  | n1   | n1   | string white    |
        | black  | n2   | n2   | string black    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | selector                                              |
        | cat     | best       | device.attributes["dra.example.com"].color == "black" |
        | cat     | fallback   | device.attributes["dra.example.com"].color == "white" |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running on node "n2"
      And ResourceClaim "c" is allocated exactly
        | request  | device |
        | cat/best | black  |
      But in Kubernetes 1.34, because this release does not score nodes by the subrequest that they satisfy: ResourceClaim "c" is allocated

    @case:node-selector-limits-choice
    @DRA/prioritized-list/node-choice
    Scenario: A pod with a nodeSelector gets the first subrequest that its node has a device for
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2"
      And the devices
        | device | node | pool | attribute color |
        | white  | n1   | n1   | string white    |
        | black  | n2   | n2   | string black    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | selector                                              |
        | cat     | best       | device.attributes["dra.example.com"].color == "black" |
        | cat     | fallback   | device.attributes["dra.example.com"].color == "white" |
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field             | value     |
        | spec.nodeSelector | {zone: a} |
      And the cluster reaches a steady state
      Then ResourceClaim "c" is allocated exactly
        | request      | device |
        | cat/fallback | white  |
