@profile:kep @profile:since-1.35
Feature: Quotas of devices and extended resources
  A quota of an extended resource, of the implicit name of its class and of the devices of the class count the same
  devices. Only device plugins add to the explicit name alone.

  Background:
    Given a device class "mygpuclass" for "example.com/gpu"
    And the object
      """
      apiVersion: v1
      kind: Node
      metadata: {name: plugin, labels: {kubernetes.io/hostname: plugin}}
      status: {allocatable: {example.com/gpu: 4}}
      """
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
      | gpu-2  | dra  |
      | gpu-3  | dra  |
    And a node "dra" with the labels
      | label                  | value |
      | kubernetes.io/hostname | dra   |

  Rule: The worked example of the document

    @case:five-devices-count-5-4-and-4-and-what-is-deleted
    @KEP-5004/quota/worked-example-after-adjustment @KEP-5004/quota/consistency-invariant @KEP-5004/quota/release-on-delete @KEP-5004/quota/implicit-counts-claims-and-explicit-dra @KEP-5004/quota/class-counts-special-claims @KEP-5004/quota/explicit-counts-implicit-requests
    Scenario: Five devices count 5, 4 and 4, and what is deleted counts no more
      Given a quota "q" of 10 of "requests.example.com/gpu" and 10 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 10 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      And a template "t" requesting 1 device of class "mygpuclass"
      When the cluster settles
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: gpu-0, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: plugin}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: gpu-1, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: dra}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      When a pod "gpu-2" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      When a claim "gpu-3" requesting 1 device of class "mygpuclass" is created
      When a pod "gpu-4" that uses the template "t" is created
      When the cluster settles
      Then pod "gpu-0" runs on node "plugin"
      And pod "gpu-1" runs on node "dra"
      And quota "q" counts 5 of "requests.example.com/gpu" and 4 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 4 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When pod "gpu-1" is deleted
      When the cluster settles
      Then quota "q" counts 4 of "requests.example.com/gpu" and 3 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 3 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When pod "gpu-0" is deleted
      When the cluster settles
      Then quota "q" counts 3 of "requests.example.com/gpu" and 3 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 3 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When pod "gpu-2" is deleted
      When pod "gpu-4" is deleted
      When claim "gpu-3" is deleted
      When the cluster settles
      Then quota "q" counts 0 of "requests.example.com/gpu" and 0 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:with-the-gate-off-the-same-five-count-2-1-and-4-and
    @KEP-5004/quota/worked-example-before-adjustment @KEP-5004/quota/after-enablement-and-upgrade
    Scenario: With the gate off the same five count 2, 1 and 4, and with it on again 5, 4 and 4
      Given a quota "q" of 10 of "requests.example.com/gpu" and 10 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 10 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      And a template "t" requesting 1 device of class "mygpuclass"
      When the cluster settles
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: gpu-0, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: plugin}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: gpu-1, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: dra}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      When a pod "gpu-2" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      When a claim "gpu-3" requesting 1 device of class "mygpuclass" is created
      When a pod "gpu-4" that uses the template "t" is created
      When the cluster settles
      When the feature gate "DRAExtendedResource" is turned off
      When the cluster settles
      Then quota "q" counts 2 of "requests.example.com/gpu" and 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 4 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When the feature gate "DRAExtendedResource" is turned on
      When the cluster settles
      Then quota "q" counts 5 of "requests.example.com/gpu" and 4 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 4 of "mygpuclass.deviceclass.resource.k8s.io/devices"

  Rule: A quota that is used up refuses whatever counts in it

    @case:claims-leave-nothing-for-a-pod-that-asks-for-the
    @KEP-5004/quota/limit-enforced-after-adjustment @KEP-5004/quota/explicit-counts-resource-claims
    Scenario: Claims leave nothing for a pod that asks for the extended resource
      Given a quota "q" of 2 of "requests.example.com/gpu"
      And a claim "c" requesting 1 device of class "mygpuclass"
      And a claim "d" requesting 1 device of class "mygpuclass"
      When the cluster settles
      When a pod "p" that requests 1 of "example.com/gpu" is created
      Then it is rejected as Forbidden

    @case:pods-on-device-plugins-leave-nothing-for-a-claim
    @KEP-5004/quota/limit-enforced-after-adjustment @KEP-5004/quota/explicit-counts-device-plugin
    Scenario: Pods on device plugins leave nothing for a claim
      Given a quota "q" of 2 of "requests.example.com/gpu"
      When the cluster settles
      When a pod "p" that requests 2 of "example.com/gpu" is created
      Then it is stored
      When a claim "c" requesting 1 device of class "mygpuclass" is created
      Then it is rejected as Forbidden
      When a pod "q" that requests 1 of "example.com/gpu" is created
      Then it is rejected as Forbidden

    @case:a-claim-leaves-nothing-for-a-pod-that-asks-by-the
    @KEP-5004/quota/limit-enforced-after-adjustment @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
    Scenario: A claim leaves nothing for a pod that asks by the implicit name
      Given a quota "q" of 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And a claim "c" requesting 1 device of class "mygpuclass"
      When the cluster settles
      When a pod "p" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      Then it is rejected as Forbidden

    @case:devices-of-device-plugins-do-not-use-up-the-quota-of
    @KEP-5004/quota/implicit-and-class-exclude-device-plugin @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario: Devices of device plugins do not use up the quota of the class or of its implicit name
      Given a quota "q" of 10 of "requests.example.com/gpu" and 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 1 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When the cluster settles
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: a, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: plugin}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      Then it is stored
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: b, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: plugin}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      Then it is stored
      When the cluster settles
      Then quota "q" counts 2 of "requests.example.com/gpu" and 0 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:a-pod-that-asks-by-the-implicit-name-leaves-nothing
    @KEP-5004/quota/explicit-counts-implicit-requests @KEP-5004/quota/no-double-count
    Scenario: A pod that asks by the implicit name leaves nothing of the extended resource
      Given a quota "q" of 2 of "requests.example.com/gpu"
      When the cluster settles
      When a pod "p" that requests 2 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      Then it is stored
      When the cluster settles
      Then pod "p" runs on node "dra"
      When a pod "r" that requests 1 of "example.com/gpu" is created
      Then it is rejected as Forbidden

    @case:a-pod-and-its-special-claim-fit-into-quotas-that
    @KEP-5004/quota/no-double-count @KEP-5004/quota/class-counts-special-claims
    Scenario: A pod and its special claim fit into quotas that allow just its devices
      Given a quota "q" of 2 of "requests.example.com/gpu" and 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When the cluster settles
      When a pod "p" that requests 2 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      Then it is stored
      When the cluster settles
      Then pod "p" runs on node "dra"
      And quota "q" counts 2 of "requests.example.com/gpu" and 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When a claim "c" requesting 1 device of class "mygpuclass" is created
      Then it is rejected as Forbidden

    @case:the-special-claim-of-a-pod-leaves-nothing-of-the
    @KEP-5004/quota/class-counts-special-claims
    Scenario: The special claim of a pod leaves nothing of the class for other claims
      Given a quota "q" of 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When the cluster settles
      When a pod "p" that requests 2 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      Then it is stored
      When the cluster settles
      Then pod "p" runs on node "dra"
      When a claim "c" requesting 1 device of class "mygpuclass" is created
      Then it is rejected as Forbidden

    @case:a-claim-from-a-template-is-not-made-where-the
    @KEP-5004/quota/explicit-counts-resource-claims
    Scenario: A claim from a template is not made where the extended resource is used up
      Given a quota "q" of 1 of "requests.example.com/gpu"
      And a template "t" requesting 2 devices of class "mygpuclass"
      When the cluster settles
      When a pod "p" that uses the template "t" is created
      Then it is stored
      When the cluster settles
      Then pod "p" is pending
      And quota "q" counts 0 of "requests.example.com/gpu"

    @case:without-quota-for-the-class-a-pod-is-admitted-and
    @KEP-5004/quota/class-quota-blocks-special-claim
    Scenario: Without quota for the class a pod is admitted and its special claim is not
      Given a quota "q" of 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When the cluster settles
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: dra}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      Then it is stored
      When the cluster settles
      Then pod "p" is pending
      And pod "p" has no special claim
      And quota "q" counts 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"

    @case:a-quota-does-not-limit-another-namespace
    @KEP-5004/quota/per-namespace @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario: A quota does not limit another namespace
      Given a quota "q" of 1 of "requests.example.com/gpu"
      When the cluster settles
      When a claim "c" requesting 1 device of class "mygpuclass" is created
      Then it is stored
      When a claim "team-a/c" requesting 1 device of class "mygpuclass" is created
      Then it is stored
      When a claim "d" requesting 1 device of class "mygpuclass" is created
      Then it is rejected as Forbidden

    @case:a-quota-of-team-b-does-not-limit-the-namespace-team
    @KEP-5004/quota/per-namespace @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario: A quota of team-b does not limit the namespace team
      Given a quota "team-b/q" of 0 of "requests.example.com/gpu"
      When the cluster settles
      And a claim "team/c" requesting 1 device of class "mygpuclass" is created
      Then it is stored
      When a claim "team-b/c" requesting 1 device of class "mygpuclass" is created
      Then it is rejected as Forbidden

    @case:claims-of-three-namespaces-are-counted-by-the-quotas
    @KEP-5004/quota/per-namespace
    Scenario: Claims of three namespaces are counted by the quotas of their own
      Given a quota "q" of 9 of "requests.example.com/gpu" and 9 of "count/resourceclaims.resource.k8s.io"
      And a quota "team-a/q" of 9 of "requests.example.com/gpu" and 9 of "count/resourceclaims.resource.k8s.io"
      And a claim "c" requesting 2 devices of class "mygpuclass"
      And a claim "team-a/c" requesting 1 device of class "mygpuclass"
      And a claim "team-a/d" requesting 3 devices of class "mygpuclass"
      And a claim "team-b/c" requesting 1 device of class "mygpuclass"
      When the cluster settles
      Then quota "q" counts 2 of "requests.example.com/gpu" and 1 of "count/resourceclaims.resource.k8s.io"
      And quota "team-a/q" counts 4 of "requests.example.com/gpu" and 2 of "count/resourceclaims.resource.k8s.io"

    @case:what-a-pod-that-counted-is-free-again
    @KEP-5004/quota/release-on-delete
    Scenario Outline: What a pod that <ends> counted is free again
      Given a quota "q" of 1 of "requests.example.com/gpu"
      When the cluster settles
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: plugin}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      Then it is stored
      When the cluster settles
      Then pod "p" runs on node "plugin"
      When a pod "r" that requests 1 of "example.com/gpu" is created
      Then it is rejected as Forbidden
      When pod "p" <ends>
      When the cluster settles
      Then quota "q" counts 0 of "requests.example.com/gpu"
      When a pod "r" that requests 1 of "example.com/gpu" is created
      Then it is stored

      Examples:
        | ends     |
        | finishes |
        | fails    |

    @case:a-limit-that-is-raised-lets-a-claim-in-and-one-that
    @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario: A limit that is raised lets a claim in, and one that is lowered keeps the next one out
      Given a quota "q" of 1 of "requests.example.com/gpu"
      And a claim "c" requesting 1 device of class "mygpuclass"
      When the cluster settles
      And a claim "d" requesting 1 device of class "mygpuclass" is created
      Then it is rejected as Forbidden
      When the ResourceQuota "q" is updated with
        | field     | value                           |
        | spec.hard | {requests.example.com/gpu: "2"} |
      And the cluster settles
      And a claim "d" requesting 1 device of class "mygpuclass" is created
      Then it is stored
      When the ResourceQuota "q" is updated with
        | field     | value                           |
        | spec.hard | {requests.example.com/gpu: "1"} |
      And the cluster settles
      Then quota "q" counts 2 of "requests.example.com/gpu"
      When a claim "e" requesting 1 device of class "mygpuclass" is created
      Then it is rejected as Forbidden

    @case:what-a-quota-no-longer-limits-is-neither-counted-nor
    @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario: What a quota no longer limits is neither counted nor refused
      Given a quota "q" of 1 of "requests.example.com/gpu" and 5 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      And a claim "c" requesting 1 device of class "mygpuclass"
      When the cluster settles
      And the ResourceQuota "q" is updated with
        | field     | value                                                   |
        | spec.hard | {mygpuclass.deviceclass.resource.k8s.io/devices: "5"}   |
      And the cluster settles
      Then the ResourceQuota "q" has
        | field       | value                                                 |
        | status.used | {mygpuclass.deviceclass.resource.k8s.io/devices: "1"} |
      When a claim "d" requesting 1 device of class "mygpuclass" is created
      Then it is stored

  Rule: Pods that wait count by the name they use

    @case:the-other-quotas-count-a-pod-when-its-special-claim
    @KEP-5004/quota/pending-pod
    Scenario: The other quotas count a pod when its special claim is there
      Given a quota "q" of 10 of "requests.example.com/gpu" and 10 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 10 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When the cluster settles
      When a pod "p" that requests 5 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      Then it is stored
      When the cluster settles
      Then pod "p" is pending
      And quota "q" counts 0 of "requests.example.com/gpu" and 5 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When a pod "r" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      When the cluster settles
      Then pod "r" runs on node "dra"
      And quota "q" counts 1 of "requests.example.com/gpu" and 6 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 1 of "mygpuclass.deviceclass.resource.k8s.io/devices"
